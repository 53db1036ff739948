// SequencePages: the ids of one sequence whose keys and values are in the cache, and the pages they
// lie in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/token.h"
#include "engine/cache/kv_cache.h"

namespace cairn::engine {

/// Contents of full pages in a row, from somewhere else than the cache.
struct KeptPages {
  // Per group. Of a recurrent one the last page alone has something: the state behind it.
  using Page = std::vector<std::vector<std::byte>>;
  std::size_t first = 0;  // which page of the prompt is the first
  std::vector<Page> pages = {};
};

/// Owns its pages. The cache outlives it.
class SequencePages {
 public:
  /// Shares pages with sequences of the same `salt` only. Room for `positions_max` positions; later
  /// growth allocates nothing.
  SequencePages(KvCache& cache, std::string salt, std::size_t positions_max);
  ~SequencePages() { clear(); }
  SequencePages(const SequencePages&) = delete;
  SequencePages& operator=(const SequencePages&) = delete;

  /// Ids that are computed; slot i holds the keys and values of id i.
  std::span<const TokenId> ids() const { return ids_; }
  /// Entry i is the page of slots 32 i up to 32 i + 31 in `group`, or kNoPage where no later query
  /// looks.
  std::span<const std::uint32_t> block_table(std::size_t group) const { return tables_[group]; }

  /// Takes the pages of the longest prefix of `ids`, at most all but the last one, that the cache
  /// has with all that a query behind it looks at, and a snapshot of each recurrent state. Only
  /// while empty. Returns its positions.
  std::size_t match(std::span<const TokenId> ids);

  /// Goes on behind what match() found with pages of `ids` that were kept elsewhere, as long as
  /// there are some and the cache has room; at most all but the last id. With a recurrent state,
  /// all of them or none. Returns its positions.
  std::size_t restore(std::span<const TokenId> ids, const KeptPages& kept);

  /// Whether the cache has pages left for `positions`, taking none.
  bool fits(std::size_t positions) const;
  /// Takes pages so that positions up to `positions` can be written, and copies the page that is
  /// written next when another sequence has it too; false when the cache has too few pages left,
  /// and then takes none.
  bool reserve(std::size_t positions);
  /// Notes that `ids` are computed, in the slots after those there are; gives back what no later
  /// query looks at.
  void append(std::span<const TokenId> ids);
  /// Gives back the pages behind the last computed position: what was written there is void.
  void trim();
  /// Forgets everything and gives every page back.
  void clear();
  /// Its pages are never found by other sequences. Only while empty.
  void keep_private() { private_ = true; }
  /// Has the ids and the pages of `other` from now on, together with it. Only while empty.
  void fork(const SequencePages& other);

 private:
  std::size_t missing(std::size_t group, std::size_t positions) const;
  std::size_t written_page(std::size_t group) const;
  bool writes_shared(std::size_t group) const;
  std::size_t stored_positions(std::span<PrefixNode* const> nodes) const;
  bool restore_pages(std::span<const TokenId> ids, std::span<const KeptPages::Page> pages);
  void renew_page(std::size_t group);
  void take_prefix(std::span<PrefixNode* const> nodes);
  void store_full_pages();
  void keep_snapshots();
  void leave_behind();

  KvCache& cache_;
  std::string salt_;
  std::vector<TokenId> ids_;
  std::vector<std::vector<std::uint32_t>> tables_;  // per group
  std::vector<std::size_t> left_;                   // per group: leading entries that are kNoPage
  PrefixNode* node_ = nullptr;                      // pinned: of the last full page, or the root
  bool private_ = false;
  std::size_t node_pages_ = 0;  // full pages up to node_
  // The last position in front of the ids that match() was asked for at which a page ends.
  std::size_t prompt_end_ = 0;
};

}  // namespace cairn::engine
