// A test that runs once for every tier in the table; one that this CPU lacks is a named skip.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cpu/cpu_device.h"
#include "kernels/tiers.h"
#include "tests/conformance/definition.h"

namespace cairn::kernels::avx512vnni_model {
extern const Kernels kTable;
}  // namespace cairn::kernels::avx512vnni_model
namespace cairn::kernels::amx_model {
extern const Kernels kTable;
}  // namespace cairn::kernels::amx_model

namespace cairn::conformance {

/// Names of all tiers, best first.
inline std::vector<std::string> tier_names() {
  std::vector<std::string> names;
  for (const kernels::Tier& tier : kernels::tiers()) names.emplace_back(tier.name);
  return names;
}

/// The files of the AVX-512 VNNI tier over avx512_model.h, and those of the AMX tier over
/// amx_model.h too, filled by the portable tier: tiers that every machine can run.
inline constexpr std::string_view kAvx512Model = "avx512vnni_model";
inline constexpr std::string_view kAmxModel = "amx_model";

/// Names of all tiers, and the models.
inline std::vector<std::string> tier_and_model_names() {
  std::vector<std::string> names = tier_names();
  names.emplace_back(kAvx512Model);
  names.emplace_back(kAmxModel);
  return names;
}

/// The kernels of a model, or nullptr for the name of a tier. Devices point to their kernels: the
/// models' are kept for good.
inline const kernels::Kernels* model_kernels(std::string_view name) {
  using kernels::inherited;
  static const kernels::Kernels kAvx512 =
      inherited(kernels::avx512vnni_model::kTable,
                *kernels::find_kernels("portable", kernels::Numerics::kExact).value());
  static const kernels::Kernels kAmx = inherited(kernels::amx_model::kTable, kAvx512);
  if (name == kAvx512Model) return &kAvx512;
  return name == kAmxModel ? &kAmx : nullptr;
}

/// Whether this machine can run the tier.
inline bool tier_is_usable(const std::string& name) {
  if (model_kernels(name) != nullptr) return true;
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
  const kernels::Kernels* found = model_kernels(name);
  if (found == nullptr) found = kernels::find_kernels(name, options.numerics).value();
  return std::make_unique<kernels::CpuDevice>(*found, options.threads, options.tuning);
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

/// `weight` times the rows of x, as `device` computes it.
inline std::vector<float> product(kernels::Device& device, const Weight& weight,
                                  const std::vector<float>& x) {
  const std::size_t tokens = x.size() / weight.cols;
  const std::vector<kernels::WeightSegment> segments = {
      {weight.type, weight.rows, weight.cols, weight.bytes}};
  const auto packed = device.pack(segments).value();
  std::vector<float> out(tokens * weight.rows);
  kernels::Project op;
  op.x = {x.data(), tokens, weight.cols, weight.cols};
  op.weight = packed.get();
  op.out = {out.data(), tokens, weight.rows, weight.rows};
  device.run([&](kernels::Ops& ops) { ops.project(op); });
  return out;
}

}  // namespace cairn::conformance
