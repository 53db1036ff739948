// A test that runs once for every tier in the table; one that this CPU lacks is a named skip.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/tiers.h"

namespace cairn::conformance {

/// Names of all tiers, best first.
inline std::vector<std::string> tier_names() {
  std::vector<std::string> names;
  for (const kernels::Tier& tier : kernels::tiers()) names.emplace_back(tier.name);
  return names;
}

/// Whether this machine can run the tier.
inline bool tier_is_usable(const std::string& name) {
  for (const kernels::Tier& tier : kernels::tiers()) {
    if (tier.name == name) return tier.usable();
  }
  return false;
}

class TierTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!tier_is_usable(GetParam())) GTEST_SKIP() << GetParam() << " cannot run on this machine";
  }
};

/// The name of a case that is a tier.
inline std::string tier_case_name(const ::testing::TestParamInfo<std::string>& c) {
  return c.param;
}

}  // namespace cairn::conformance
