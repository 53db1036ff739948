// A test that runs once for every tier in the table; one that this CPU lacks is a named skip.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cpu/cpu_device.h"
#include "kernels/tiers.h"

namespace cairn::kernels::avx512vnni_model {
extern const Kernels kTable;
}  // namespace cairn::kernels::avx512vnni_model

namespace cairn::conformance {

/// Names of all tiers, best first.
inline std::vector<std::string> tier_names() {
  std::vector<std::string> names;
  for (const kernels::Tier& tier : kernels::tiers()) names.emplace_back(tier.name);
  return names;
}

/// The AVX-512 VNNI tier's files over avx512_model.h, filled by the portable tier: a tier that
/// every machine can run. It has kernels for projections only.
inline constexpr std::string_view kAvx512Model = "avx512vnni_model";

/// Names of all tiers, and the model.
inline std::vector<std::string> dot_tier_names() {
  std::vector<std::string> names = tier_names();
  names.emplace_back(kAvx512Model);
  return names;
}

/// Whether this machine can run the tier.
inline bool tier_is_usable(const std::string& name) {
  if (name == kAvx512Model) return true;
  for (const kernels::Tier& tier : kernels::tiers()) {
    if (tier.name == name) return tier.usable();
  }
  return false;
}

/// How a device of a tier is opened.
struct TierOptions {
  std::size_t threads = 1;
  kernels::Numerics numerics = kernels::Numerics::kExact;
  kernels::CpuTuning tuning = {};
};

/// A device on the kernels of a usable tier.
inline std::unique_ptr<kernels::Device> open_tier(const std::string& name,
                                                  const TierOptions& options) {
  const bool model = name == kAvx512Model;
  const std::string built = model ? "portable" : name;
  const kernels::Kernels* found = kernels::find_kernels(built, options.numerics).value();
  // Devices point to their kernels: the model's are kept for good.
  static const kernels::Kernels kModel =
      kernels::inherited(kernels::avx512vnni_model::kTable,
                         *kernels::find_kernels("portable", kernels::Numerics::kExact).value());
  return std::make_unique<kernels::CpuDevice>(model ? kModel : *found, options.threads,
                                              options.tuning);
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
