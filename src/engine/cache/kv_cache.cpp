#include "engine/cache/kv_cache.h"

#include <algorithm>
#include <utility>

#include "base/status.h"

namespace cairn::engine {

KvCache::KvCache(KvCacheOptions options)
    : options_(std::move(options)),
      tree_(options_.groups.size(), options_.identity, options_.hash),
      pools_(options_.groups.size(), PagePool(options_.pages)),
      stored_(options_.groups.size(), std::vector<PrefixNode*>(options_.pages)),
      events_(options_.events_max) {}

CacheFigures KvCache::figures() const {
  CacheFigures figures = figures_;
  for (const PagePool& pool : pools_) {
    figures.pages += pool.size();
    figures.free_pages += pool.free();
    figures.idle_pages += pool.idle();
  }
  return figures;
}

void KvCache::count_lookup(std::size_t ids, std::size_t found) {
  ++figures_.lookups;
  figures_.looked_up_tokens += ids;
  figures_.hit_tokens += found;
}

void KvCache::visit_idle(const LosePage& visit) const {
  for (std::size_t group = 0; group < pools_.size(); ++group) {
    for (const std::uint32_t page : pools_[group].idle_list()) {
      visit(*stored_[group][page], group, page);
    }
  }
}

void KvCache::forget() {
  for (std::size_t group = 0; group < pools_.size(); ++group) {
    while (const auto page = pools_[group].drop_idle()) remove(group, *page);
  }
}

std::uint32_t KvCache::take(std::size_t group) {
  const auto taken = pools_[group].take();
  CAIRN_CHECK(taken.has_value());
  if (taken->evicted) {
    if (options_.lose_page) options_.lose_page(*stored_[group][taken->page], group, taken->page);
    remove(group, taken->page);
    ++figures_.evicted_pages;
  }
  return taken->page;
}

void KvCache::release(std::size_t group, std::uint32_t page) {
  pools_[group].release(page, stored(group, page) ? PagePool::Keep::kYes : PagePool::Keep::kNo);
}

/// Copies a state, if any page is left for it.
void KvCache::keep_snapshot(PrefixNode& node, std::size_t group, std::uint32_t state) {
  if (node.pages[group] != kNoPage || pools_[group].available() == 0) return;
  const std::uint32_t page = take(group);
  options_.copy_page(group, state, page);
  store(node, group, page);
  release(group, page);
}

void KvCache::store(PrefixNode& node, std::size_t group, std::uint32_t page) {
  PrefixTree::set_page(node, group, page);
  stored_[group][page] = &node;
  events_.add({.kind = CacheEvent::Kind::kStored,
               .group = group,
               .hash = node.hash,
               .parent = node.parent->hash});
}

void KvCache::remove(std::size_t group, std::uint32_t page) {
  PrefixNode& node = *std::exchange(stored_[group][page], nullptr);
  events_.add({.kind = CacheEvent::Kind::kRemoved,
               .group = group,
               .hash = node.hash,
               .parent = node.parent->hash});
  tree_.clear_page(node, group);
}

}  // namespace cairn::engine
