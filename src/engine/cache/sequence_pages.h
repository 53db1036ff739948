// SequencePages: the ids whose keys and values are in the cache, and the pages they lie in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/token.h"
#include "engine/cache/page_pool.h"

namespace cairn::engine {

/// Owns its pages. The pool outlives it.
class SequencePages {
 public:
  /// Room for `positions_max` positions; later growth allocates nothing.
  SequencePages(PagePool& pool, std::size_t positions_max);
  ~SequencePages() { shorten(0); }
  SequencePages(SequencePages&& other) noexcept;
  SequencePages(const SequencePages&) = delete;
  SequencePages& operator=(const SequencePages&) = delete;
  SequencePages& operator=(SequencePages&&) = delete;

  /// Ids in the cache; slot i holds the keys and values of id i.
  std::span<const TokenId> ids() const { return ids_; }
  /// Entry i is the page of slots 32 i up to 32 i + 31.
  std::span<const std::uint32_t> block_table() const { return pages_; }

  /// Takes pages so that `positions` fit; false when the pool has too few, and then takes none.
  bool reserve(std::size_t positions);
  /// Notes that `ids` are computed, in the slots after those there are.
  void append(std::span<const TokenId> ids);
  /// Forgets all but the first `positions` and releases the pages they do not touch.
  void shorten(std::size_t positions);

 private:
  PagePool* pool_ = nullptr;
  std::vector<TokenId> ids_;
  std::vector<std::uint32_t> pages_;
};

}  // namespace cairn::engine
