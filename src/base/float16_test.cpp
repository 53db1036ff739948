#include "base/float16.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace cairn {
namespace {

/// The f16 nearest to `value`, found by search over the values that f16 has: the definition.
std::uint16_t nearest_f16(float value) {
  const double magnitude = std::fabs(static_cast<double>(value));
  std::uint32_t low = 0;
  std::uint32_t high = 0x7C00;  // stands for 2^16 here: what lies past half way is infinite
  const auto number = [](std::uint32_t half) {
    const std::uint32_t exponent = half >> 10;
    const std::uint32_t mantissa = half & 0x3FFU;
    return exponent == 0 ? std::ldexp(mantissa, -24)
                         : std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25);
  };
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (number(middle) <= magnitude ? low : high) = middle;
  }
  const double below = magnitude - number(low);
  const double above = number(high) - magnitude;
  const bool up = above < below || (above == below && high % 2 == 0);
  const std::uint32_t sign = std::signbit(value) ? 0x8000U : 0U;
  return static_cast<std::uint16_t>(sign | (up ? high : low));
}

TEST(Float16Test, EveryF16ComesBackAsItWas) {
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const float value = f16_to_f32(static_cast<std::uint16_t>(half));
    const bool nan = (half & 0x7FFFU) > 0x7C00U;
    ASSERT_EQ(std::isnan(value), nan) << half;
    const std::uint32_t expected = nan ? half | 0x200U : half;
    ASSERT_EQ(f32_to_f16(value), expected) << half;
  }
}

TEST(Float16Test, RoundsToTheNearestF16) {
  std::uint32_t bits = 0;
  for (std::uint32_t step = 0; step < 3000000; ++step, bits += 1429U) {
    const auto value = std::bit_cast<float>(bits);
    if (std::isnan(value)) {
      ASSERT_GT(f32_to_f16(value) & 0x7FFF, 0x7C00);
      continue;
    }
    if (std::isinf(value) || std::fabs(value) >= 0x1p16F) {
      ASSERT_EQ(f32_to_f16(value) & 0x7FFF, 0x7C00);
      continue;
    }
    ASSERT_EQ(f32_to_f16(value), nearest_f16(value)) << bits;
  }
}

TEST(Float16Test, HalfWayCasesGoToTheEvenOne) {
  for (std::uint32_t half = 0; half < 0x7C00; ++half) {
    const float low = f16_to_f32(static_cast<std::uint16_t>(half));
    const float high = half == 0x7BFF ? 65536.0F : f16_to_f32(static_cast<std::uint16_t>(half + 1));
    const float middle = (low + high) / 2;
    ASSERT_EQ(f32_to_f16(middle), half % 2 == 0 ? half : half + 1);
    ASSERT_EQ(f32_to_f16(std::nextafterf(middle, 0.0F)), half);
    ASSERT_EQ(f32_to_f16(std::nextafterf(middle, 1e9F)), half + 1);
  }
}

TEST(Float16Test, Bf16RoundsToTheNearestAndKeepsNanAndInfinity) {
  for (std::uint32_t brain = 0; brain < 0x10000; ++brain) {
    const float value = bf16_to_f32(static_cast<std::uint16_t>(brain));
    const std::uint32_t expected = std::isnan(value) ? brain | 0x40U : brain;
    ASSERT_EQ(f32_to_bf16(value), expected);
    if ((brain & 0x7FFFU) >= 0x7F80U) continue;
    const auto middle = std::bit_cast<float>(brain << 16 | 0x8000U);
    ASSERT_EQ(f32_to_bf16(middle), brain % 2 == 0 ? brain : brain + 1);
    ASSERT_EQ(f32_to_bf16(std::bit_cast<float>(brain << 16 | 0x7FFFU)), brain);
    ASSERT_EQ(f32_to_bf16(std::bit_cast<float>(brain << 16 | 0x8001U)), brain + 1);
  }
  EXPECT_TRUE(std::isnan(bf16_to_f32(f32_to_bf16(std::bit_cast<float>(0x7F800001U)))));
  EXPECT_TRUE(std::isinf(bf16_to_f32(f32_to_bf16(std::numeric_limits<float>::max()))));
}

}  // namespace
}  // namespace cairn
