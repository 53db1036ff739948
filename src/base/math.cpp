#include "base/math.h"

#include <array>

#include "base/math_double_double.h"

namespace cairn::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2Lowest = 0x1.f97b57a079a19p-103;

double power_of_two(std::int64_t k) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

/// sum of c[i] x^i, from the highest power down.
template <std::size_t kCount>
double polynomial(double x, const std::array<double, kCount>& c) {
  double sum = c[kCount - 1];
  for (std::size_t i = kCount - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

// (e^r - 1 - r) / r^2 by Taylor's series: the next term is below 2^-57 for |r| <= ln(2)/2.
constexpr std::array kExp = {1.0 / 2,          1.0 / 6,          1.0 / 24,
                             1.0 / 120,        1.0 / 720,        1.0 / 5040,
                             1.0 / 40320.0,    1.0 / 362880.0,   1.0 / 3628800.0,
                             1.0 / 39916800.0, 1.0 / 479001600., 1.0 / 6227020800.};

// (atanh(z) / z - 1) / z^2 in powers of z^2.
constexpr std::array kLog = {0x1.5555555555555p-2, 0x1.999999999999ap-3, 0x1.2492492492485p-3,
                             0x1.c71c71c71f411p-4, 0x1.745d174369b76p-4, 0x1.3b13b2697fb9fp-4,
                             0x1.1110b6c91dfe0p-4, 0x1.e20327545ae15p-5, 0x1.ab78fada448c0p-5,
                             0x1.bf31e56818d01p-5};

}  // namespace

DoubleDouble log_double_double(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCDULL;
  const bool subnormal = x < 0x1p-1022;
  const auto bits = std::bit_cast<std::uint64_t>(subnormal ? x * 0x1p60 : x);
  const std::int64_t shift = static_cast<std::int64_t>(bits - kSqrtHalf) >> 52;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(shift) << 52));
  const auto e = static_cast<double>(subnormal ? shift - 60 : shift);

  // z = (m - 1) / (m + 1) with what its rounding cut off; m - 1 is exact.
  const double f = m - 1.0;
  const DoubleDouble sum = two_sum(m, 1.0);
  const double z = f / sum.high;
  const DoubleDouble back = two_product(z, sum.high);
  const double z_low = ((f - back.high) - back.low - z * sum.low) / sum.high;

  const double t = z * z;
  const double tail = 2.0 * (z * (t * polynomial(t, kLog)) + z_low);
  const DoubleDouble a = two_sum(e * detail::kLn2High, 2.0 * z);
  const double low = a.low + (e * detail::kLn2Low + tail);
  return two_sum(a.high, low);
}

double exp_double_double(DoubleDouble x) {
  if (x.high > 710.0) return kInfinity;
  if (x.high < -709.0) return 0.0;
  const double rounded = x.high * detail::kLog2E + detail::kRoundToInteger;
  const double k = rounded - detail::kRoundToInteger;
  const double high = x.high - k * detail::kLn2High;  // exact
  const double take = k * detail::kLn2Low;
  const double r = high - take;
  const double r_low = ((high - r) - take) + (x.low - k * kLn2Lowest);
  // exp(r + r_low) = exp(r) + r_low exp(r), for which three terms are enough.
  const double from_low = r_low * (1.0 + (r + 0.5 * r * r));
  const double value = 1.0 + (r + (from_low + r * r * polynomial(r, kExp)));
  // In two steps, because 2^1024 is no double.
  const auto whole = static_cast<std::int64_t>(x.high == x.high ? k : 0.0);
  const double result = value * power_of_two(whole / 2) * power_of_two(whole - whole / 2);
  return result < 0x1p-1022 ? 0.0 : result;
}

double exp64(double x) { return exp_double_double({.high = x}); }

double log64(double x) {
  if (x == 0.0) return -kInfinity;
  if (!(x > 0.0)) return kNan;
  return x < kInfinity ? log_double_double(x).high : x;
}

namespace {

enum class Parity : std::uint8_t { kNotWhole, kEven, kOdd };

Parity parity_of(double y) {
  const double size = y < 0 ? -y : y;
  if (size >= 0x1p53) return Parity::kEven;  // infinity too
  const auto whole = static_cast<std::int64_t>(size);
  if (static_cast<double>(whole) != size) return Parity::kNotWhole;
  return whole % 2 == 0 ? Parity::kEven : Parity::kOdd;
}

/// pow for positive finite x other than 1 and finite y.
double pow_positive(double x, double y) {
  const DoubleDouble log_x = log_double_double(x);
  const double estimate = y * log_x.high;
  if (estimate > 720.0) return kInfinity;
  if (estimate < -720.0) return 0.0;
  if (estimate < 0x1p-60 && estimate > -0x1p-60) return 1.0;
  const DoubleDouble product = two_product(y, log_x.high);
  return exp_double_double(two_sum(product.high, product.low + y * log_x.low));
}

/// pow for x that is 0 or infinite in magnitude, or y that is infinite; neither is NaN.
double pow_at_the_edge(double size, double y) {
  if (size == 1.0) return 1.0;
  const bool grows = (size > 1.0) == (y > 0.0);
  return grows ? kInfinity : 0.0;
}

}  // namespace

double pow64(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return kNan;
  const double size = x < 0.0 ? -x : x;
  const bool negative = (std::bit_cast<std::uint64_t>(x) >> 63) != 0;
  const Parity parity = parity_of(y);
  const bool y_infinite = y == kInfinity || y == -kInfinity;
  const bool edge = size == 0.0 || size == kInfinity || y_infinite;
  if (negative && !edge && parity == Parity::kNotWhole) return kNan;
  // The magnitude of -0.0 is taken as 0, so a negative x keeps its sign for odd y only.
  double result = 1.0;
  if (edge) {
    result = pow_at_the_edge(size, y);
  } else if (size != 1.0) {
    result = pow_positive(size, y);
  }
  return negative && parity == Parity::kOdd ? -result : result;
}

float pow(float x, float y) {
  return static_cast<float>(pow64(static_cast<double>(x), static_cast<double>(y)));
}

}  // namespace cairn::math
