// math: the elementary functions that cairn's numbers are defined by.
//
// Purpose     the same bits on every machine: no result of the C library's functions may reach a
//             number, a table or a sampler, because they differ between machines.
// Invariants  + - * / on f64 in a fixed order and one rounding to f32 at the end: no fma, no table
//             of the C library, no dependence on the rounding of intermediate steps but to nearest.
//             Special values as C (ISO 9899:2018, annex F) says, but for exp below.
// Accuracy    measured by math_test.cpp, which asserts it; see each function.
// Threads     pure functions. They want subnormals kept and rounding to nearest (float_mode.h).
// Inline      fma32 and exp stand in loops of kernels; the rest is for tables at load.
// Source      own; coefficients fitted by math_coefficients.py.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace cairn::math {

namespace detail {

constexpr double kLog2E = 0x1.71547652b82fep+0;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 42 bits: times an exponent it is exact
constexpr double kLn2Low = 0x1.ef35793c76730p-45;
// Adding and taking away 1.5 * 2^52 rounds to the nearest integer, which then stands in the low
// bits of the sum.
constexpr double kRoundToInteger = 0x1.8p52;

/// 2^k times `value`, for the k in the low bits of `rounded` = k + kRoundToInteger.
inline double scale_by_power(double value, double rounded) {
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(rounded) << 52) + (1023ULL << 52);
  return value * std::bit_cast<double>(exponent);
}

/// exp(x) to 2^-43 for |x| <= 700; NaN gives NaN. The polynomial is 1 + r + r^2 q(r).
inline double exp_core(double x) {
  const double rounded = x * kLog2E + kRoundToInteger;
  const double k = rounded - kRoundToInteger;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double q = 0x1.72ad458027fbcp-19;
  q = q * r + 0x1.a136bf03ec612p-16;
  q = q * r + 0x1.a019c36bc053cp-13;
  q = q * r + 0x1.6c166bde96885p-10;
  q = q * r + 0x1.111111170bc08p-7;
  q = q * r + 0x1.55555565c7e0ep-5;
  q = q * r + 0x1.5555555554f96p-3;
  q = q * r + 0x1.fffffffffe062p-2;
  return scale_by_power(1.0 + (r + r * r * q), rounded);
}

}  // namespace detail

/// a * b + c rounded once, as the fma instruction does it, on any machine.
/// The product of two f32 is exact in f64. The sum is rounded to odd there (its last bit stands for
/// all that was cut off), so that rounding it to f32 is right. Source: Boldo and Melquiond,
/// "Emulation of a FMA and correctly rounded sums", IEEE Transactions on Computers 57(4), 2008.
/// Every AArch64 processor has the instruction, so that there the compiler is asked for it.
inline float fma32(float a, float b, float c) {
#if defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = static_cast<double>(c);
  const double sum = product + addend;
  // What the rounding of the sum cut off, exactly (Knuth's two-sum); NaN when the sum is not
  // finite.
  const double from_addend = sum - product;
  const double error = (product - (sum - from_addend)) + (addend - from_addend);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  const std::uint64_t opposite = (bits ^ std::bit_cast<std::uint64_t>(error)) >> 63;
  const std::uint64_t even = ~bits & 1U;
  // One step away from zero when the error has the sign of the sum, else one towards zero.
  const std::uint64_t odd = bits + even - ((opposite & even) << 1);
  const bool inexact = error > 0.0 || error < 0.0;
  return static_cast<float>(std::bit_cast<double>(inexact ? odd : bits));
#endif
}

/// e^x. Accuracy: 0.50001 ulp. A result below 2^-126, the smallest normal one, is 0.
inline float exp(float x) {
  double wide = static_cast<double>(x);
  wide = wide > 89.0 ? 89.0 : wide;  // past the largest f32, and NaN passes both
  wide = wide < -104.0 ? -104.0 : wide;
  const double result = detail::exp_core(wide);
  return static_cast<float>(result < 0x1p-126 ? 0.0 : result);
}

/// Natural logarithm; -inf for 0, NaN below. Accuracy: 0.50001 ulp.
inline float log(float x) {
  // x = m * 2^e with m from sqrt(1/2) to sqrt(2), so that e is 0 around 1; log m = 2 atanh z.
  constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCDULL;
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
  const std::int64_t e = static_cast<std::int64_t>(bits - kSqrtHalf) >> 52;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(e) << 52));
  const double z = (m - 1.0) / (m + 1.0);
  const double t = z * z;
  double p = 0x1.2b7fa64da1a6ap-4;
  p = p * t + 0x1.39fb2efe206abp-4;
  p = p * t + 0x1.7462cd53e5318p-4;
  p = p * t + 0x1.c71c628e9e0c9p-4;
  p = p * t + 0x1.2492492e35998p-3;
  p = p * t + 0x1.9999999995077p-3;
  p = p * t + 0x1.5555555555558p-2;
  const double log_m = 2.0 * (z + z * (t * p));
  const double result = static_cast<double>(e) * detail::kLn2 + log_m;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (x > 0.0F) return x < kInfinity ? static_cast<float>(result) : x;
  return x == 0.0F ? -kInfinity : std::numeric_limits<float>::quiet_NaN();
}

/// Sine of x in radians, for every finite x. Accuracy: 0.50001 ulp.
float sin(float x);
/// Cosine of x in radians, for every finite x. Accuracy: 0.50001 ulp.
float cos(float x);
/// x to the power y. Accuracy: 0.50001 ulp.
float pow(float x, float y);

/// e^x. Accuracy: 1 ulp. A result below 2^-1022, the smallest normal one, is 0.
double exp64(double x);
/// Natural logarithm; -inf for 0, NaN below. Accuracy: 1 ulp.
double log64(double x);
/// Sine of x in radians, for every finite x. Accuracy: 1 ulp.
double sin64(double x);
/// Cosine of x in radians, for every finite x. Accuracy: 1 ulp.
double cos64(double x);
/// x to the power y. Accuracy: 1 ulp while |y log x| <= 10, 6 ulp at the ends of the range. A
/// result below 2^-1022 in magnitude is 0.
double pow64(double x, double y);

}  // namespace cairn::math
