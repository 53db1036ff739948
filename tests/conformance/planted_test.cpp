// What the other files here compare with would not help if they could not see an error: one unit in
// the last place of one output of one kernel is seen, and in that kernel's format only.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <utility>

#include "kernels/cpu/cpu_device.h"
#include "tests/conformance/definition.h"
#include "tests/conformance/tier_test.h"

namespace cairn::conformance {
namespace {

using kernels::Dot;
using kernels::DotTask;
using kernels::Kernels;

constexpr std::size_t kRows = 32;
constexpr std::size_t kPlantedRow = 17;
constexpr std::size_t kTiersMax = 8;

/// The kernels of the tier at `index` of tier_and_model_names().
const Kernels& kernels_at(std::size_t index) {
  const std::string name = tier_and_model_names().at(index);
  const Kernels* model = model_kernels(name);
  return model != nullptr ? *model
                          : *kernels::find_kernels(name, kernels::Numerics::kExact).value();
}

/// The tier's own kernel, with the planted row of the first token one unit too large.
template <std::size_t kTier>
void planted(const DotTask& task) {
  kernels_at(kTier).dot_of (*task.segment)(task);
  const std::size_t group = kPlantedRow / kernels::kGroupRows;
  if (task.tokens.begin != 0 || group < task.group || group >= task.group + task.groups) return;
  const std::size_t tokens = task.tokens.end - task.tokens.begin;
  float& y = task.y[(group - task.group) * tokens * kernels::kGroupRows +
                    kPlantedRow % kernels::kGroupRows];
  y = std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) + 1);
}

template <std::size_t... kTier>
constexpr std::array<Dot, kTiersMax> planted_of(std::index_sequence<kTier...> /*tiers*/) {
  return {&planted<kTier>...};
}
constexpr std::array<Dot, kTiersMax> kPlanted = planted_of(std::make_index_sequence<kTiersMax>{});

/// How many outputs of `tokens` tokens differ from the definition.
std::size_t differing(const Kernels& kernels, const Weight& weight, std::size_t tokens) {
  kernels::CpuDevice device(kernels, 1, {});
  EXPECT_TRUE(device.reserve_scratch(tokens, weight.cols).ok());
  const std::vector<float> x = random_values(tokens * weight.cols, 7);
  const std::vector<float> out = product(device, weight, x);
  std::size_t count = 0;
  for (std::size_t t = 0; t < tokens; ++t) {
    const std::vector<float> y =
        project_row(weight, std::span(x).subspan(t * weight.cols, weight.cols));
    for (std::size_t n = 0; n < weight.rows; ++n) {
      if (!same(out[t * weight.rows + n], y[n])) ++count;
    }
  }
  return count;
}

class PlantedTest : public TierTest {};

TEST_P(PlantedTest, OneUnitInTheLastPlaceOfOneKernelIsSeenInItsFormatOnly) {
  const std::vector<std::string> names = tier_and_model_names();
  ASSERT_LE(names.size(), kTiersMax);
  const auto tier =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), GetParam()) - names.begin());
  const Weight other = random_weight(ElementType::kF32, kRows, 64, 3);
  for (const ElementType type : weight_types()) {
    if (type == other.type) continue;
    const Weight weight =
        random_weight(type, kRows, std::max<std::size_t>(info(type).block_values, 64), 3);
    Kernels kernels = kernels_at(tier);
    kernels.dots[static_cast<std::size_t>(type)] = kPlanted[tier];
    for (const std::size_t tokens : {1, 20}) {
      EXPECT_EQ(differing(kernels_at(tier), weight, tokens), 0U) << info(type).name;
      EXPECT_EQ(differing(kernels, weight, tokens), 1U) << info(type).name;
    }
    EXPECT_EQ(differing(kernels, other, 1), 0U) << info(type).name;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTier, PlantedTest, ::testing::ValuesIn(tier_and_model_names()),
                         tier_case_name);

}  // namespace
}  // namespace cairn::conformance
