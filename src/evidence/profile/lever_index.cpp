#include "evidence/profile/lever_index.h"

#include <algorithm>

namespace cairn::evidence {

LeverIndex::LeverIndex(const Graph& graph) {
  levers_.reserve(graph.levers.size());
  for (const Lever& lever : graph.levers) levers_.push_back(&lever);
  std::ranges::stable_sort(levers_, [this](const Lever* one, const Lever* other) {
    ++steps_;
    return one->id < other->id;
  });
}

const Lever* LeverIndex::find(std::string_view id) const {
  const auto before = [this](std::string_view one, std::string_view other) {
    ++steps_;
    return one < other;
  };
  const auto found = std::ranges::lower_bound(
      levers_, id, before, [](const Lever* lever) { return std::string_view(lever->id); });
  return found == levers_.end() || (*found)->id != id ? nullptr : *found;
}

}  // namespace cairn::evidence
