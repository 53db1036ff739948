// The levers of a graph by id, for profiles that name many of them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "evidence/profile/profile.h"

namespace cairn::evidence {

/// Views into the graph. Cost: n log n steps to make, log n a look-up; both are counted.
class LeverIndex {
 public:
  explicit LeverIndex(const Graph& graph);

  /// What find_lever() gives.
  const Lever* find(std::string_view id) const;
  /// Comparisons of ids so far.
  std::size_t steps() const { return steps_; }

 private:
  std::vector<const Lever*> levers_;  // by id, the first of equal ones first
  mutable std::size_t steps_ = 0;
};

/// validate_profile() with an index that the caller keeps: P-19 and P-20 look each attribution up
/// in it.
Findings validate_profile(const Graph& graph, const LeverIndex& levers, const Profile& profile,
                          Rules rules = {});

}  // namespace cairn::evidence
