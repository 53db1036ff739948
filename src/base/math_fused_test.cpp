#include "base/math_fused.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/math_ulps.h"

namespace cairn::math {
namespace {

constexpr float kTooLarge = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

TEST(FusedExpTest, HoldsItsBoundOverItsWholeRange) {
  const auto got = [](float x) { return fused_exp(x); };
  const auto exact = [](long double x) { return std::exp(x); };
  EXPECT_LT(worst_ulps(0x1p-40F, 88.7228F, 1999, got, exact), 1.05);
  EXPECT_LT(worst_ulps(-0x1p-40F, -86.0F, 1999, got, exact), 1.05);
  // Around the middle of each step of k, where r is largest.
  EXPECT_LT(worst_ulps(0.3F, 0.4F, 7, got, exact), 1.05);
  EXPECT_LT(worst_ulps(-0.3F, -0.4F, 7, got, exact), 1.05);
}

TEST(FusedExpTest, GivesZeroBelowItsRangeInfinityAboveAndKeepsNaN) {
  EXPECT_GT(fused_exp(-86.0F), 0x1p-126F);
  EXPECT_EQ(fused_exp(std::nextafterf(-86.0F, -kTooLarge)), 0.0F);
  EXPECT_EQ(fused_exp(-1e30F), 0.0F);
  EXPECT_EQ(fused_exp(-kTooLarge), 0.0F);
  EXPECT_EQ(fused_exp(88.72284F), kTooLarge);
  EXPECT_EQ(fused_exp(1e30F), kTooLarge);
  EXPECT_EQ(fused_exp(kTooLarge), kTooLarge);
  EXPECT_EQ(fused_exp(0.0F), 1.0F);
  EXPECT_EQ(fused_exp(-0x1p-149F), 1.0F);
  EXPECT_TRUE(std::isnan(fused_exp(kNoNumber)));
}

TEST(FusedTanhTest, HoldsItsBoundOverItsWholeRange) {
  const auto got = [](float x) { return fused_tanh(x); };
  const auto exact = [](long double x) { return std::tanh(x); };
  EXPECT_LT(worst_ulps(0x1p-126F, 40.0F, 1999, got, exact), 2.0);
  EXPECT_LT(worst_ulps(-0.4F, -0.7F, 7, got, exact), 2.0);
}

TEST(FusedTanhTest, KeepsSignsZerosAndNaN) {
  EXPECT_EQ(fused_tanh(kTooLarge), 1.0F);
  EXPECT_EQ(fused_tanh(-kTooLarge), -1.0F);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(fused_tanh(-0.0F)), 0x80000000U);
  EXPECT_EQ(fused_tanh(0x1p-149F), 0x1p-149F);
  EXPECT_EQ(fused_tanh(-3.0F), -fused_tanh(3.0F));
  EXPECT_TRUE(std::isnan(fused_tanh(kNoNumber)));
}

}  // namespace
}  // namespace cairn::math
