#include "engine/cache/page_pool.h"

#include <algorithm>
#include <functional>

#include "base/status.h"

namespace cairn::engine {

PagePool::PagePool(std::size_t pages)
    : owners_(pages), free_(pages), links_(pages + 1), idle_pages_(pages) {
  for (std::size_t page = 0; page < pages; ++page) free_[page] = static_cast<std::uint32_t>(page);
  const auto end = static_cast<std::uint32_t>(pages);
  links_[pages] = {end, end};
}

void PagePool::unlink(std::uint32_t page) {
  const Link link = links_[page];
  links_[link.before].after = link.after;
  links_[link.after].before = link.before;
  idle_pages_[page] = false;
  --idle_;
}

void PagePool::add_free(std::uint32_t page) {
  free_.push_back(page);
  std::ranges::push_heap(free_, std::greater<>());
}

std::optional<PagePool::Taken> PagePool::take() {
  Taken taken;
  if (!free_.empty()) {
    std::ranges::pop_heap(free_, std::greater<>());
    taken.page = free_.back();
    free_.pop_back();
  } else if (idle_ > 0) {
    taken = {.page = links_.back().after, .evicted = true};
    unlink(taken.page);
  } else {
    return std::nullopt;
  }
  owners_[taken.page] = 1;
  touched_ = std::max(touched_, std::size_t{taken.page} + 1);
  return taken;
}

void PagePool::share(std::uint32_t page) {
  if (idle_pages_[page]) {
    unlink(page);
  } else {
    CAIRN_CHECK(owners_[page] > 0);
  }
  ++owners_[page];
}

void PagePool::release(std::uint32_t page, Keep keep) {
  CAIRN_CHECK(owners_[page] > 0);
  if (--owners_[page] > 0) return;
  if (keep == Keep::kNo) return add_free(page);
  const auto end = static_cast<std::uint32_t>(owners_.size());
  const std::uint32_t newest = links_[end].before;
  links_[page] = {newest, end};
  links_[newest].after = page;
  links_[end].before = page;
  idle_pages_[page] = true;
  ++idle_;
}

std::vector<std::uint32_t> PagePool::idle_list() const {
  std::vector<std::uint32_t> pages;
  for (std::uint32_t page = links_.back().after; page != owners_.size();
       page = links_[page].after) {
    pages.push_back(page);
  }
  return pages;
}

std::optional<std::uint32_t> PagePool::drop_idle() {
  if (idle_ == 0) return std::nullopt;
  const std::uint32_t page = links_.back().after;
  unlink(page);
  add_free(page);
  return page;
}

}  // namespace cairn::engine
