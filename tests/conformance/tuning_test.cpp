// What tuning.h lists changes speed only: the same bits with every value of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "kernels/cpu/cpu_device.h"
#include "tests/conformance/definition.h"
#include "tests/conformance/tier_test.h"

namespace cairn::conformance {
namespace {

using kernels::Angles;
using kernels::CpuDevice;
using kernels::CpuOptions;
using kernels::CpuTuning;
using kernels::Rope;

constexpr std::size_t kDim = 64;
constexpr std::size_t kWidth = 3 * kDim;

std::unique_ptr<kernels::Device> open(const std::string& isa, const CpuTuning& tuning) {
  CpuOptions options;
  options.isa = isa;
  options.threads = 2;
  options.tuning = tuning;
  auto device = CpuDevice::create(options).value();
  EXPECT_TRUE(device->reserve_scratch(8, 1024).ok());
  return device;
}

/// One head attending to itself at four positions from `first` on, under one rotation.
std::vector<float> rotated(kernels::Device& device, const Rope& rope, std::uint32_t first) {
  const kernels::KvLayout layout = {1, kDim, device.default_cache_type()};
  const auto pool = device.allocate(device.page_bytes(layout)).value();
  const std::vector<std::uint32_t> table = {0};
  const std::vector<std::span<const std::uint32_t>> tables = {table};
  std::vector<kernels::Row> rows(4);
  for (std::uint32_t t = 0; t < 4; ++t) {
    rows[t].slot = t;
    rows[t].position[0] = first + t;
  }
  std::vector<float> qkv = random_values(rows.size() * kWidth, 7);
  std::vector<float> out(rows.size() * kDim);
  kernels::Attend op;
  op.rows = rows;
  op.qkv = {qkv.data(), rows.size(), kWidth, kWidth};
  op.heads = 1;
  op.scale = 0.5F;
  op.rope = rope;
  op.cache = {layout, pool->address(), tables};
  op.out = {out.data(), rows.size(), kDim, kDim};
  device.run([&](kernels::Ops& ops) { ops.attend(op); });
  return out;
}

class TuningTest : public TierTest {};

TEST_P(TuningTest, GivesTheSameRotationsKeptOrComputedByEveryLayer) {
  const auto kept = open(GetParam(), {.angles = Angles::kKept});
  const auto fresh = open(GetParam(), {.angles = Angles::kPerLayer});
  const std::vector<float> slow(kDim / 2, 0.01F);
  const std::vector<float> fast(kDim / 2, 0.7F);
  // Three kinds, more than are kept, at positions that come again and others that do not.
  const Rope ropes[] = {{.dims = kDim, .inverse_frequency = slow.data()},
                        {.dims = kDim, .inverse_frequency = fast.data()},
                        {.dims = kDim / 2, .inverse_frequency = fast.data(), .magnitude = 1.5F}};
  for (const std::uint32_t first : {5U, 5U, 6U, 5U, 100U}) {
    for (const Rope& rope : ropes) {
      EXPECT_EQ(rotated(*kept, rope, first), rotated(*fresh, rope, first)) << first;
    }
  }
  EXPECT_NE(rotated(*kept, ropes[0], 5), rotated(*kept, ropes[1], 5));
}

TEST_P(TuningTest, GivesTheSameProductsWhateverIsAskedForAhead) {
  for (const ElementType type : weight_types()) {
    const std::size_t cols = std::max<std::size_t>(info(type).block_values, 64);
    const Weight weight = random_weight(type, 48, cols, 5);
    const std::vector<float> x = random_values(2 * cols, 6);
    std::vector<std::vector<float>> results;
    for (const std::size_t bytes : {0, 64, 1 << 20}) {
      const auto device = open(GetParam(), {.prefetch_bytes = bytes});
      const std::vector<kernels::WeightSegment> segments = {{type, 48, cols, weight.bytes}};
      const auto packed = device->pack(segments).value();
      std::vector<float> out(2 * 48UL);
      kernels::Project op;
      op.x = {x.data(), 2, cols, cols};
      op.weight = packed.get();
      op.out = {out.data(), 2, 48, 48};
      device->run([&](kernels::Ops& ops) { ops.project(op); });
      results.push_back(out);
    }
    for (std::size_t i = 0; i < results[0].size(); ++i) {
      EXPECT_TRUE(same(results[0][i], results[1][i])) << info(type).name << " " << i;
      EXPECT_TRUE(same(results[0][i], results[2][i])) << info(type).name << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTier, TuningTest, ::testing::ValuesIn(tier_names()), tier_case_name);

}  // namespace
}  // namespace cairn::conformance
