// What tuning.h lists changes speed only: the same bits with every value of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "kernels/cpu/cpu_device.h"
#include "tests/conformance/definition.h"
#include "tests/conformance/tier_test.h"

namespace cairn::conformance {
namespace {

using kernels::CpuTuning;

std::unique_ptr<kernels::Device> open(const std::string& tier, const CpuTuning& tuning) {
  auto device = open_tier(tier, {.threads = 2, .tuning = tuning});
  EXPECT_TRUE(device->reserve_scratch(8, 1024).ok());
  return device;
}

class TuningTest : public TierTest {};

TEST_P(TuningTest, GivesTheSameProductsWhateverIsAskedForAhead) {
  for (const ElementType type : weight_types()) {
    const std::size_t cols = std::max<std::size_t>(info(type).block_values, 64);
    const Weight weight = random_weight(type, 48, cols, 5);
    const std::vector<float> x = random_values(2 * cols, 6);
    std::vector<std::vector<float>> results;
    for (const std::size_t bytes : {0, 64, 1 << 20}) {
      const auto device = open(GetParam(), {.prefetch_bytes = bytes});
      results.push_back(product(*device, weight, x));
    }
    for (std::size_t i = 0; i < results[0].size(); ++i) {
      EXPECT_TRUE(same(results[0][i], results[1][i])) << info(type).name << " " << i;
      EXPECT_TRUE(same(results[0][i], results[2][i])) << info(type).name << " " << i;
    }
  }
}

// X13: more than sixteen workers, and more than there are row groups.
TEST_P(TuningTest, X13GivesTheSameProductsForAnyNumberOfWorkers) {
  const Weight weight = random_weight(ElementType::kQ4_0, 48, 256, 8);
  const std::vector<float> x = random_values(3 * weight.cols, 9);
  std::vector<float> first;
  for (const std::size_t workers : {1, 3, 7, 16, 17, 31, 33}) {
    const auto device = open_tier(GetParam(), {.threads = workers});
    ASSERT_TRUE(device->reserve_scratch(8, 1024).ok());
    const std::vector<float> out = product(*device, weight, x);
    if (first.empty()) first = out;
    for (std::size_t i = 0; i < out.size(); ++i) {
      ASSERT_TRUE(same(out[i], first[i])) << workers << " workers, " << i;
    }
  }
}

// X18: right for one request, wrong for several at once on an ARM processor.
TEST_P(TuningTest, X18GivesATokenTheSameProductsAloneAndAmongOthers) {
  constexpr std::size_t kTokens = 19;
  for (const ElementType type : weight_types()) {
    const std::size_t cols = std::max<std::size_t>(info(type).block_values, 64);
    const Weight weight = random_weight(type, 32, cols, 12);
    const std::vector<float> x = random_values(kTokens * cols, 13);
    const auto device = open_tier(GetParam(), {.threads = 1});
    ASSERT_TRUE(device->reserve_scratch(kTokens, 1024).ok());
    const std::vector<float> together = product(*device, weight, x);
    for (std::size_t t = 0; t < kTokens; ++t) {
      const auto row = x.begin() + static_cast<std::ptrdiff_t>(t * cols);
      const std::vector<float> alone =
          product(*device, weight, {row, row + static_cast<std::ptrdiff_t>(cols)});
      for (std::size_t n = 0; n < alone.size(); ++n) {
        ASSERT_TRUE(same(alone[n], together[t * alone.size() + n])) << info(type).name << " " << t;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTier, TuningTest, ::testing::ValuesIn(tier_and_model_names()),
                         tier_case_name);

}  // namespace
}  // namespace cairn::conformance
