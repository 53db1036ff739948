// KvCache: the pages of every cache group, and which prefixes can be found in them.
//
// Purpose     one pool of pages per group, one prefix tree for all; sequences take pages through
//             SequencePages.
// Invariants  a page that the prefix tree knows is full, or a snapshot of a recurrent state behind
//             a full page, and is never written again; a page is written only by its one owner.
//             Groups have the same number of pages: those of a recurrent group that no sequence
//             has are the room for snapshots.
// Threads     one at a time.
// Adding      a kind of cache: CacheKind in models/cache_spec.h and its answers in CacheGroup.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cache/cache_events.h"
#include "engine/cache/cache_groups.h"
#include "engine/cache/page_pool.h"
#include "engine/cache/prefix_tree.h"

namespace cairn::engine {

/// Copies one page of every slot of a group.
using CopyPage = std::function<void(std::size_t group, std::uint32_t from, std::uint32_t to)>;
/// Writes the contents of a page, as they were read from one of the same group.
using FillPage =
    std::function<void(std::size_t group, std::uint32_t page, std::span<const std::byte> bytes)>;
/// Told of a page that could be found until now and is about to hold something else.
using LosePage = std::function<void(const PrefixNode& node, std::size_t group, std::uint32_t page)>;

struct KvCacheOptions {
  std::vector<CacheGroup> groups = {};
  std::size_t pages = 0;       // of each group
  std::string identity = {};   // what pages hold beside ids: cache type and numeric class
  std::size_t events_max = 0;  // kept until somebody takes them; 0: none
  // Positions between two snapshots of recurrent states, whole pages, beside those at the end of a
  // prompt; 0: none is kept at all.
  std::size_t snapshot_tokens = 0;
  CopyPage copy_page = {};
  FillPage fill_page = {};
  LosePage lose_page = {};  // empty: nobody keeps what is evicted
  PageHash hash = &page_hash;
};

/// Counts since the cache was made, and its state now.
struct CacheFigures {
  std::uint64_t lookups = 0;
  std::uint64_t looked_up_tokens = 0;
  std::uint64_t hit_tokens = 0;  // of those, found
  std::uint64_t evicted_pages = 0;
  std::uint64_t copied_pages = 0;  // before two sequences wrote the same page
  std::size_t pages = 0;           // of all groups together, as are the next two
  std::size_t free_pages = 0;
  std::size_t idle_pages = 0;  // no sequence has them, a prefix can be found in them
};

class KvCache {
 public:
  explicit KvCache(KvCacheOptions options);

  std::span<const CacheGroup> groups() const { return options_.groups; }
  CacheFigures figures() const;
  /// Pages of `group` that ever held something: the others cost no memory yet.
  std::size_t touched_pages(std::size_t group) const { return pools_[group].touched(); }
  /// A request of `ids` ids began with `found` of them.
  void count_lookup(std::size_t ids, std::size_t found);
  CacheEvents& events() { return events_; }
  /// Tells `visit` of every page that no sequence has, those let go longest ago first.
  void visit_idle(const LosePage& visit) const;
  /// Forgets every page that no sequence has.
  void forget();

 private:
  friend class SequencePages;

  PagePool& pool(std::size_t group) { return pools_[group]; }
  std::uint32_t take(std::size_t group);
  void release(std::size_t group, std::uint32_t page);
  void keep_snapshot(PrefixNode& node, std::size_t group, std::uint32_t state);
  bool stored(std::size_t group, std::uint32_t page) const {
    return stored_[group][page] != nullptr;
  }
  void store(PrefixNode& node, std::size_t group, std::uint32_t page);
  void remove(std::size_t group, std::uint32_t page);

  KvCacheOptions options_;
  PrefixTree tree_;
  std::vector<PagePool> pools_;                   // per group
  std::vector<std::vector<PrefixNode*>> stored_;  // per group and page: its node, or nullptr
  CacheEvents events_;
  CacheFigures figures_;
};

}  // namespace cairn::engine
