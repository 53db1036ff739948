#include "engine/cache/cache_groups.h"

#include <algorithm>

namespace cairn::engine {

std::size_t CacheGroup::pages_for(std::size_t positions) const {
  if (recurrent()) return positions > 0 ? 1 : 0;
  return engine::pages_for(positions);
}

std::size_t CacheGroup::first_page(std::size_t position) const {
  if (window == 0 || recurrent() || position < window) return 0;
  return (position + 1 - window) / kernels::kPagePositions;
}

CacheGroups groups_of(std::span<const models::CacheSpec> slots) {
  CacheGroups all;
  for (const models::CacheSpec& slot : slots) {
    const CacheGroup group{.kind = slot.kind, .window = slot.window};
    const auto known = std::ranges::find(all.groups, group);
    all.group_of_slot.push_back(static_cast<std::size_t>(known - all.groups.begin()));
    if (known == all.groups.end()) all.groups.push_back(group);
  }
  return all;
}

}  // namespace cairn::engine
