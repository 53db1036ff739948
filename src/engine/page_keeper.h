// PageKeeper: carries pages between a forwarder and a PageStore.
//
// Purpose     what the cache has no place for goes to disk, and comes back for a prompt that begins
//             with it, in this process or a later one.
// Invariants  a step reads and writes no file. A page that is evicted is copied to the store's
//             queue, or lost where that is full; a prompt's pages are read by the thread that
//             submits it, and copied into the cache when it is admitted.
// Threads     fetch() from any; the rest by the one thread that has the cache.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/status.h"
#include "engine/cache/kv_cache.h"
#include "engine/cache/page_fetch.h"
#include "engine/cache/page_store.h"
#include "engine/forwarder.h"
#include "engine/page_keeping.h"

namespace cairn::engine {

class PageKeeper {
 public:
  /// Null where nothing is to be kept. `forwarder` outlives it. Errors: as PageStore::open;
  /// kUnsupported for a forwarder whose pages make no sense to another one.
  static Result<std::unique_ptr<PageKeeper>> open(Forwarder& forwarder, const PageKeeping& keeping);

  /// Has a page that can be found in the cache written, if it is not on disk and there is room for
  /// it at once: whether it was taken.
  bool offer(const PrefixNode& node, std::size_t group, std::uint32_t page);
  /// Has all of them written that no sequence has, as far as the folder may grow; waits for it.
  void keep_all(const KvCache& cache);

  FetchedPages fetch(std::span<const TokenId> ids, std::string_view salt, std::size_t known) {
    return fetch_.fetch(ids, salt, known);
  }
  const PageStore& store() const { return *store_; }

 private:
  PageKeeper(Forwarder& forwarder, std::unique_ptr<PageStore> store);

  Forwarder& forwarder_;
  std::unique_ptr<PageStore> store_;
  PageFetch fetch_;
};

}  // namespace cairn::engine
