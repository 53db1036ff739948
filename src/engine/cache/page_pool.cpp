#include "engine/cache/page_pool.h"

#include <algorithm>
#include <functional>

#include "base/status.h"

namespace cairn::engine {

PagePool::PagePool(std::size_t pages) : owners_(pages), free_(pages) {
  for (std::size_t page = 0; page < pages; ++page) free_[page] = static_cast<std::uint32_t>(page);
}

std::optional<std::uint32_t> PagePool::take() {
  if (free_.empty()) return std::nullopt;
  std::ranges::pop_heap(free_, std::greater<>());
  const std::uint32_t page = free_.back();
  free_.pop_back();
  owners_[page] = 1;
  return page;
}

void PagePool::share(std::uint32_t page) {
  CAIRN_CHECK(owners_[page] > 0);
  ++owners_[page];
}

void PagePool::release(std::uint32_t page) {
  CAIRN_CHECK(owners_[page] > 0);
  if (--owners_[page] > 0) return;
  free_.push_back(page);
  std::ranges::push_heap(free_, std::greater<>());
}

}  // namespace cairn::engine
