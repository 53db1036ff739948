// PageFetch: what a PageStore has of a prompt, read before the prompt has its turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/token.h"
#include "engine/cache/page_store.h"
#include "engine/cache/sequence_pages.h"

namespace cairn::engine {

/// Pages in memory, on their way into the cache.
struct FetchedPages {
  KeptPages pages = {};
  std::shared_ptr<void> room = {};  // what they take of PageFetch::kBytesMax, until it is dropped
};

/// Threads: fetch() from any.
class PageFetch {
 public:
  /// Bytes of all fetched pages at most: they stand in memory beside the cache.
  static constexpr std::uint64_t kBytesMax = 64 << 20;

  /// `identity` is the one of the cache, `group_bytes` are those of a page of each group. The store
  /// outlives it.
  PageFetch(PageStore& store, std::string identity, std::vector<std::size_t> group_bytes);

  /// Reads pages of `ids` in a row, behind the first `known` of them, which the cache has: at most
  /// up to the one before the last id.
  FetchedPages fetch(std::span<const TokenId> ids, std::string_view salt, std::size_t known);

  std::size_t group_bytes(std::size_t group) const { return group_bytes_[group]; }
  /// Of a page in all groups.
  std::uint64_t page_bytes() const { return page_bytes_; }

 private:
  bool take_room(FetchedPages& fetched);
  bool read(PageKey key, KeptPages& pages);

  PageStore& store_;
  std::string identity_;
  std::vector<std::size_t> group_bytes_;
  std::uint64_t page_bytes_ = 0;
  std::shared_ptr<std::atomic<std::uint64_t>> taken_;
};

}  // namespace cairn::engine
