// Longer than other files: a table of goldens and one sweep per function.
#include "base/math.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "base/math_ulps.h"

namespace cairn::math {
namespace {

struct Golden1 {
  std::uint64_t x = 0;
  std::uint64_t result = 0;
};
struct Golden2 {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::uint64_t result = 0;
};
#include "base/math_goldens.inc"

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kInfinity64 = std::numeric_limits<double>::infinity();

float narrow(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
double wide(std::uint64_t bits) { return std::bit_cast<double>(bits); }

/// Distance in representable numbers, for results of one sign.
std::int64_t steps_apart(double a, double b) {
  return std::abs(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b));
}

// A prime, so that the low bits of the numbers that are tried vary.
constexpr std::uint32_t kStride = 1999;
constexpr double kBound = 0.50001;

// --- fma32 ---

void expect_fma(float a, float b, float c) {
  const float expected = std::fma(a, b, c);
  const float got = fma32(a, b, c);
  if (std::isnan(expected)) {
    ASSERT_TRUE(std::isnan(got)) << a << " * " << b << " + " << c;
    return;
  }
  ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(expected))
      << std::hexfloat << a << " * " << b << " + " << c;
}

TEST(Fma32Test, EqualsTheCorrectlyRoundedFmaOnRandomBits) {
  std::mt19937 random(1);
  const auto any = [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); };
  for (int i = 0; i < 3000000; ++i) ASSERT_NO_FATAL_FAILURE(expect_fma(any(), any(), any()));
}

TEST(Fma32Test, EqualsItWhereTheSumCancelsOrLiesHalfWay) {
  std::mt19937 random(2);
  const auto near_one = [&] {
    return std::bit_cast<float>(0x3F000000U + static_cast<std::uint32_t>(random() & 0x1FFFFFFU));
  };
  for (int i = 0; i < 1000000; ++i) {
    const float a = near_one();
    const float b = near_one();
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, -a * b));
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, std::nextafterf(-a * b, 0.0F)));
    // c so small, or so large, that the sum of the two is only just not half way between floats.
    const int shift = static_cast<int>(random() % 60) - 30;
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, std::ldexp(near_one(), shift)));
    const float few_bits = 1.0F + std::ldexp(1.0F, -static_cast<int>(random() % 24));
    ASSERT_NO_FATAL_FAILURE(
        expect_fma(few_bits, few_bits, std::ldexp(a > 1 ? 1.0F : -1.0F, shift)));
    ASSERT_NO_FATAL_FAILURE(expect_fma(few_bits, few_bits, std::ldexp(near_one(), -2 * 24)));
  }
}

TEST(Fma32Test, EqualsItAmongSubnormalsAndNearOverflow) {
  std::mt19937 random(3);
  for (int i = 0; i < 1000000; ++i) {
    const float sign = random() % 2 == 0 ? 1.0F : -1.0F;
    const auto fraction = [&] { return 1.0F + static_cast<float>(random() & 0xFFFFU) * 0x1p-16F; };
    const float a = std::ldexp(fraction(), -static_cast<int>(random() % 140));
    const float b = std::ldexp(fraction(), static_cast<int>(random() % 40) - 80);
    const auto subnormal = std::bit_cast<float>(static_cast<std::uint32_t>(random() & 0x9FFFFFU));
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, sign * b, subnormal));
    ASSERT_NO_FATAL_FAILURE(expect_fma(std::ldexp(a, 100), b * 0x1p60F, sign * 3e38F));
  }
}

TEST(Fma32Test, EqualsItOnEveryTripleOfSpecialValues) {
  const std::array values = {0.0F,
                             -0.0F,
                             1.0F,
                             -1.0F,
                             kInfinity,
                             -kInfinity,
                             kNan,
                             0x1p-149F,
                             -0x1p-149F,
                             0x1p-126F,
                             0x1p-127F,
                             3.0F,
                             0x1.8p-75F,
                             -0x1p-75F,
                             0x1p-24F,
                             0x1p24F,
                             -0x1p127F,
                             0x1.fffffep127F,
                             -0x1.fffffep127F,
                             0x1.000002p0F};
  for (const float a : values) {
    for (const float b : values) {
      for (const float c : values) ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, c));
    }
  }
}

// --- f32 against mpmath, then against the wider long double of the C library ---

TEST(MathTest, F32ResultsEqualTheCorrectlyRoundedOnes) {
  for (const Golden1& g : kExp32) EXPECT_EQ(exp(narrow(g.x)), narrow(g.result)) << narrow(g.x);
  for (const Golden1& g : kLog32) EXPECT_EQ(log(narrow(g.x)), narrow(g.result)) << narrow(g.x);
  for (const Golden1& g : kSin32) EXPECT_EQ(sin(narrow(g.x)), narrow(g.result)) << narrow(g.x);
  for (const Golden1& g : kCos32) EXPECT_EQ(cos(narrow(g.x)), narrow(g.result)) << narrow(g.x);
  for (const Golden2& g : kPow32) {
    EXPECT_EQ(pow(narrow(g.x), narrow(g.y)), narrow(g.result)) << narrow(g.x) << " " << narrow(g.y);
  }
}

TEST(MathTest, ExpHoldsItsBoundOverItsWholeRange) {
  const auto got = [](float x) { return exp(x); };
  const auto exact = [](long double x) { return std::exp(x); };
  EXPECT_LT(worst_ulps(0x1p-40F, 88.7228F, kStride, got, exact), kBound);
  EXPECT_LT(worst_ulps(-0x1p-40F, -87.3365F, kStride, got, exact), kBound);
}

TEST(MathTest, ExpGivesZeroBelowItsSmallestNormalResult) {
  EXPECT_GE(exp(-87.33654F), 0x1p-126F);
  EXPECT_EQ(exp(-87.33655F), 0.0F);
  EXPECT_EQ(exp(-100.0F), 0.0F);
  EXPECT_EQ(exp(-kInfinity), 0.0F);
  EXPECT_EQ(exp(88.72284F), kInfinity);
  EXPECT_EQ(exp(kInfinity), kInfinity);
  EXPECT_EQ(exp(0.0F), 1.0F);
  EXPECT_EQ(exp(-0x1p-149F), 1.0F);
  EXPECT_TRUE(std::isnan(exp(kNan)));
}

TEST(MathTest, LogHoldsItsBoundOverItsWholeRange) {
  const auto got = [](float x) { return log(x); };
  const auto exact = [](long double x) { return std::log(x); };
  EXPECT_LT(worst_ulps(0x1p-149F, 3.4e38F, kStride, got, exact), kBound);
  EXPECT_LT(worst_ulps(0.9F, 1.1F, 3, got, exact), kBound);
  EXPECT_EQ(log(1.0F), 0.0F);
  EXPECT_EQ(log(0.0F), -kInfinity);
  EXPECT_EQ(log(-0.0F), -kInfinity);
  EXPECT_EQ(log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(log(-1.0F)));
  EXPECT_TRUE(std::isnan(log(-kInfinity)));
  EXPECT_TRUE(std::isnan(log(kNan)));
}

TEST(MathTest, SinAndCosHoldTheirBoundOverTheirWholeRange) {
  const auto exact_sin = [](long double x) { return std::sin(x); };
  const auto exact_cos = [](long double x) { return std::cos(x); };
  const auto got_sin = [](float x) { return sin(x); };
  const auto got_cos = [](float x) { return cos(x); };
  EXPECT_LT(worst_ulps(0x1p-126F, 3.4e38F, kStride, got_sin, exact_sin), kBound);
  EXPECT_LT(worst_ulps(-0x1p-126F, -3.4e38F, kStride, got_sin, exact_sin), kBound);
  EXPECT_LT(worst_ulps(0x1p-126F, 3.4e38F, kStride, got_cos, exact_cos), kBound);
  EXPECT_LT(worst_ulps(0.5F, 100.0F, 37, got_cos, exact_cos), kBound);
  EXPECT_EQ(sin(-3.0F), -sin(3.0F));
  EXPECT_EQ(cos(-3.0F), cos(3.0F));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(sin(-0.0F)), 0x80000000U);
  EXPECT_EQ(cos(0.0F), 1.0F);
  EXPECT_TRUE(std::isnan(sin(kInfinity)));
  EXPECT_TRUE(std::isnan(cos(-kInfinity)));
  EXPECT_TRUE(std::isnan(cos(kNan)));
}

TEST(MathTest, PowHoldsItsBoundOnRandomPowers) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> base(-8.0F, 14.0F);
  std::uniform_real_distribution<float> power(-5.0F, 5.0F);
  double worst = 0;
  for (int i = 0; i < 300000; ++i) {
    const float x = std::exp(base(random));
    const float y = power(random);
    const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    worst = std::max(worst, f32_ulps(pow(x, y), exact));
  }
  EXPECT_LT(worst, kBound);
}

// The C library agrees on what powers of special values are (ISO 9899:2018, F.10.4.4).
TEST(MathTest, PowTreatsSpecialValuesAsTheStandardSays) {
  const std::array values = {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             2.0,
                             -2.0,
                             0.5,
                             -0.5,
                             3.0,
                             -3.0,
                             0.25,
                             1e30,
                             -1e30,
                             1e300,
                             -kInfinity64,
                             kInfinity64,
                             1e-300,
                             -7.0,
                             std::numeric_limits<double>::quiet_NaN()};
  for (const double x : values) {
    for (const double y : values) {
      const double expected = std::pow(x, y);
      const double got = pow64(x, y);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(got)) << x << " ^ " << y;
        continue;
      }
      EXPECT_EQ(std::signbit(got), std::signbit(expected)) << x << " ^ " << y;
      EXPECT_LE(steps_apart(got, expected), 1) << x << " ^ " << y;
    }
  }
}

// --- f64 ---

template <typename Goldens, typename Function>
std::int64_t worst_steps(const Goldens& goldens, Function function) {
  std::int64_t worst = 0;
  for (const auto& golden : goldens) {
    const double got = function(golden);
    worst = std::max(worst, steps_apart(got, wide(golden.result)));
  }
  return worst;
}

TEST(MathTest, F64ResultsAreWithinOneStepOfTheCorrectlyRoundedOnes) {
  EXPECT_LE(worst_steps(kExp64, [](const Golden1& g) { return exp64(wide(g.x)); }), 1);
  EXPECT_LE(worst_steps(kLog64, [](const Golden1& g) { return log64(wide(g.x)); }), 1);
  EXPECT_LE(worst_steps(kSin64, [](const Golden1& g) { return sin64(wide(g.x)); }), 1);
  EXPECT_LE(worst_steps(kCos64, [](const Golden1& g) { return cos64(wide(g.x)); }), 1);
  EXPECT_LE(worst_steps(kPow64, [](const Golden2& g) { return pow64(wide(g.x), wide(g.y)); }), 1);
}

/// The largest error in f64 units of the last place over random x = sign * e^(low .. high).
template <typename Function, typename Exact>
double worst_ulps_64(double low, double high, Function function, Exact exact) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> size(low, high);
  double worst = 0;
  for (int i = 0; i < 300000; ++i) {
    const double x = (i % 2 == 0 ? 1.0 : -1.0) * std::exp(size(random));
    const long double right = exact(static_cast<long double>(x));
    int exponent = 0;
    (void)std::frexp(right, &exponent);
    const long double error = std::fabs(static_cast<long double>(function(x)) - right);
    worst = std::max(worst, static_cast<double>(std::ldexp(error, 53 - exponent)));
  }
  return worst;
}

TEST(MathTest, F64FunctionsHoldTheirBoundOnRandomNumbers) {
  EXPECT_LT(
      worst_ulps_64(
          -40, 6.56, [](double x) { return exp64(x); }, [](long double x) { return std::exp(x); }),
      1.0);
  EXPECT_LT(worst_ulps_64(
                -700, 700, [](double x) { return log64(std::fabs(x)); },
                [](long double x) { return std::log(std::fabs(x)); }),
            1.0);
  EXPECT_LT(worst_ulps_64(
                -0.5, 0.5, [](double x) { return log64(std::fabs(x)); },
                [](long double x) { return std::log(std::fabs(x)); }),
            1.0);
  EXPECT_LT(
      worst_ulps_64(
          -40, 30, [](double x) { return sin64(x); }, [](long double x) { return std::sin(x); }),
      1.0);
  EXPECT_LT(
      worst_ulps_64(
          -40, 30, [](double x) { return cos64(x); }, [](long double x) { return std::cos(x); }),
      1.0);
  EXPECT_LT(worst_ulps_64(
                -13, 13, [](double x) { return pow64(std::fabs(x), -0.734375); },
                [](long double x) { return std::pow(std::fabs(x), -0.734375L); }),
            1.0);
  EXPECT_LT(worst_ulps_64(
                -6.9, 6.9, [](double x) { return pow64(std::fabs(x), 99.125); },
                [](long double x) { return std::pow(std::fabs(x), 99.125L); }),
            6.0);
}

TEST(MathTest, F64SpecialValuesAreThoseOfTheStandard) {
  EXPECT_EQ(exp64(0.0), 1.0);
  EXPECT_EQ(exp64(-708.3), std::exp(-708.3));
  EXPECT_EQ(exp64(-708.5), 0.0);
  EXPECT_EQ(exp64(-kInfinity64), 0.0);
  EXPECT_EQ(exp64(709.8), kInfinity64);
  EXPECT_LT(exp64(709.7), kInfinity64);
  EXPECT_EQ(exp64(kInfinity64), kInfinity64);
  EXPECT_TRUE(std::isnan(exp64(std::nan(""))));
  EXPECT_EQ(log64(1.0), 0.0);
  EXPECT_EQ(log64(0.0), -kInfinity64);
  EXPECT_EQ(log64(kInfinity64), kInfinity64);
  EXPECT_TRUE(std::isnan(log64(-1.0)));
  EXPECT_TRUE(std::isnan(sin64(kInfinity64)));
  EXPECT_EQ(sin64(5e-324), 5e-324);
  EXPECT_EQ(cos64(0.0), 1.0);
}

}  // namespace
}  // namespace cairn::math
