// The forward pass block by block against the float32 reference, so that a wrong block is named.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "tests/golden/goldens.h"
#include "tests/golden/model_runner.h"

namespace cairn::tests {
namespace {

/// Root mean square of the difference over that of the reference.
double relative_error(std::span<const float> got, std::span<const float> expected) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double d = static_cast<double>(got[i]) - static_cast<double>(expected[i]);
    difference += d * d;
    size += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
  }
  return std::sqrt(difference / size);
}

/// Largest error of a point over its rows.
double error_at(const GoldenHidden& golden, std::size_t point, std::span<const float> x) {
  double worst = 0;
  for (std::size_t row = 0; row < golden.rows.size(); ++row) {
    const auto got = x.subspan(golden.rows[row] * golden.width, golden.width);
    const double error = relative_error(got, golden.at(point, row));
    worst = std::isnan(error) ? INFINITY : std::max(worst, error);
  }
  return worst;
}

class HiddenTest : public testing::TestWithParam<GoldenModel> {};

// The limits are three times what was measured, and far below the 0.1 % of a block that a wrong
// kernel would cost; the exact class's own error, of 8-bit activations, is below 10 %.
TEST_P(HiddenTest, EveryBlockOfTheReferenceClassMatches) {
  const Result<GoldenHidden> golden = read_hidden(GetParam());
  ASSERT_TRUE(golden.ok()) << golden.status().message();
  const auto runner =
      ModelRunner::create(path_of(GetParam()), {.numerics = kernels::Numerics::kReference});
  ASSERT_TRUE(runner.ok()) << runner.status().message();
  const auto points = (*runner)->feed_looking(golden->prompt_ids);
  ASSERT_EQ(points.size() + 1, golden->points.size());  // the last is behind the final norm
  double worst = 0;
  for (std::size_t point = 0; point < points.size(); ++point) {
    const double error = error_at(*golden, point, points[point]);
    worst = std::max(worst, error);
    ASSERT_LT(error, 3e-6) << "first wrong block: " << golden->points[point];
  }
  std::printf("%s: largest relative error of a block %.2e\n", GetParam().name.c_str(), worst);
}

TEST_P(HiddenTest, EveryBlockOfTheExactClassIsClose) {
  const Result<GoldenHidden> golden = read_hidden(GetParam());
  ASSERT_TRUE(golden.ok()) << golden.status().message();
  const auto runner = ModelRunner::create(path_of(GetParam()), {});
  ASSERT_TRUE(runner.ok()) << runner.status().message();
  const auto points = (*runner)->feed_looking(golden->prompt_ids);
  double worst = 0;
  for (std::size_t point = 0; point < points.size(); ++point) {
    const double error = error_at(*golden, point, points[point]);
    worst = std::max(worst, error);
    ASSERT_LT(error, 0.1) << "first wrong block: " << golden->points[point];
  }
  std::printf("%s: largest relative error of a block, exact class %.2e\n", GetParam().name.c_str(),
              worst);
}

TEST_P(HiddenTest, StatesBehindTheLastNormAreThoseOfTheReference) {
  const Result<GoldenHidden> golden = read_hidden(GetParam());
  ASSERT_TRUE(golden.ok()) << golden.status().message();
  const auto runner =
      ModelRunner::create(path_of(GetParam()), {.numerics = kernels::Numerics::kReference});
  ASSERT_TRUE(runner.ok()) << runner.status().message();
  const Result<Normed> normed = (*runner)->feed_normed(golden->prompt_ids);
  ASSERT_TRUE(normed.ok()) << normed.status().message();
  EXPECT_LT(error_at(*golden, golden->points.size() - 1, normed->states), 3e-6);
}

TEST_P(HiddenTest, TheHeadMakesTheLogitsOfTheStatesBehindTheLastNorm) {
  const Result<GoldenHidden> golden = read_hidden(GetParam());
  ASSERT_TRUE(golden.ok()) << golden.status().message();
  const auto runner = ModelRunner::create(path_of(GetParam()), {});
  ASSERT_TRUE(runner.ok()) << runner.status().message();
  const Result<Normed> normed = (*runner)->feed_normed(golden->prompt_ids);
  ASSERT_TRUE(normed.ok()) << normed.status().message();
  EXPECT_EQ(normed->logits_of_states, normed->logits) << "bit for bit";
}

INSTANTIATE_TEST_SUITE_P(Models, HiddenTest, testing::ValuesIn(golden_models()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace cairn::tests
