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
#include "engine/cache/cache_groups.h"
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

  /// What a page of a group is.
  struct Group {
    std::size_t bytes = 0;
    bool recurrent = false;
  };

  /// `identity` is the one of the cache, which has `groups`. The store outlives it.
  PageFetch(PageStore& store, std::string identity, std::vector<Group> groups);

  /// Reads pages of `ids` in a row, behind the first `known` of them, which the cache has: at most
  /// up to the one before the last id, and up to one behind which a snapshot of every recurrent
  /// state is kept. Of the snapshots only the last page has some.
  FetchedPages fetch(std::span<const TokenId> ids, std::string_view salt, std::size_t known);

  std::size_t group_bytes(std::size_t group) const { return groups_[group].bytes; }
  /// Of a page in all groups, and of a snapshot.
  std::uint64_t page_bytes() const { return page_bytes_; }

 private:
  bool take_room(FetchedPages& fetched, std::uint64_t bytes);
  bool has(PageKey key) const;
  bool read(PageKey key, bool recurrent, KeptPages::Page& page);
  void read_snapshots(std::span<const PageKey> keys, FetchedPages& fetched);

  PageStore& store_;
  std::string identity_;
  std::vector<Group> groups_;
  std::uint64_t page_bytes_ = 0;
  std::uint64_t snapshot_bytes_ = 0;  // of those: all recurrent states
  std::shared_ptr<std::atomic<std::uint64_t>> taken_;
};

}  // namespace cairn::engine
