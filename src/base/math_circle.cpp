// Sine and cosine: x is reduced to a quarter turn and what is left, then a polynomial each.
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "base/math.h"
#include "base/math_double_double.h"

namespace cairn::math {
namespace {

/// |x| = quarter * pi/2 + rest, with the quarter modulo 4 and |rest| at most about pi/4.
struct Reduced {
  std::uint64_t quarter = 0;
  DoubleDouble rest;
};

// pi/2 in pieces of 33 bits, each exact when multiplied by a whole number below 2^20.
constexpr double kHalfPi1 = 0x1.921fb54400000p+0;
constexpr double kHalfPi2 = 0x1.0b4611a600000p-34;
constexpr double kHalfPi3 = 0x1.3198a2e000000p-69;
constexpr double kHalfPi4 = 0x1.b839a252049c1p-104;

/// For |x| < 2^20. Source: Cody and Waite, "Software manual for the elementary functions", 1980.
Reduced reduce_small(double x) {
  const double rounded = x * 0x1.45f306dc9c883p-1 + detail::kRoundToInteger;
  const double k = rounded - detail::kRoundToInteger;
  const double first = x - k * kHalfPi1;  // exact
  const DoubleDouble second = two_sum(first, -k * kHalfPi2);
  const DoubleDouble third = two_sum(second.high, -k * kHalfPi3);
  const double low = (second.low + third.low) - k * kHalfPi4;
  return {.quarter = std::bit_cast<std::uint64_t>(rounded) & 3U, .rest = two_sum(third.high, low)};
}

// 64 zero bits, then 2/pi: enough of it for the largest double.
constexpr std::array<std::uint64_t, 20> kTwoOverPi = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};

__extension__ using Wide = unsigned __int128;

/// 64 bits of 2/pi from bit `at` of the table.
std::uint64_t two_over_pi(std::size_t at) {
  const std::size_t word = at / 64;
  const std::size_t shift = at % 64;
  if (shift == 0) return kTwoOverPi[word];
  return kTwoOverPi[word] << shift | kTwoOverPi[word + 1] >> (64 - shift);
}

/// A fraction of 128 bits as the sum of two doubles.
DoubleDouble from_fraction(Wide fraction) {
  const auto top = static_cast<std::uint64_t>(fraction >> 64);
  // Were the top 64 bits all zero, x would be nearer to a multiple of pi/2 than any double is.
  const int zeros = std::countl_zero(top | 1U);
  fraction <<= zeros;
  const auto scale = [&](int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent - zeros + 1023) << 52);
  };
  const auto high = static_cast<double>(static_cast<std::uint64_t>(fraction >> 75));
  const auto low =
      static_cast<double>(static_cast<std::uint64_t>(fraction >> 22) & ((1ULL << 53) - 1));
  return {.high = high * scale(-53), .low = low * scale(-106)};
}

/// For x >= 2^20: x is a whole number of 53 bits times 2^exponent, and only 192 bits of 2/pi matter
/// for the product modulo 4. Source: Payne and Hanek, "Radian reduction for trigonometric
/// functions", SIGNUM Newsletter 18(1), 1983.
Reduced reduce_large(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t whole = (bits & ((1ULL << 52) - 1)) | 1ULL << 52;
  const std::size_t at = (bits >> 52) - 1075 + 62;  // exponent - 2, past the 64 zero bits
  const Wide low = static_cast<Wide>(whole) * two_over_pi(at + 128);
  const Wide middle = static_cast<Wide>(whole) * two_over_pi(at + 64) + (low >> 64);
  const std::uint64_t high = whole * two_over_pi(at) + static_cast<std::uint64_t>(middle >> 64);
  Wide product = static_cast<Wide>(high) << 64 | static_cast<std::uint64_t>(middle);
  std::uint64_t quarter = high >> 62;
  product = product << 2 | static_cast<std::uint64_t>(low) >> 62;
  const bool past_half = (product >> 127) != 0;
  if (past_half) {
    product = -product;
    ++quarter;
  }
  DoubleDouble turn = from_fraction(product);
  if (past_half) turn = {.high = -turn.high, .low = -turn.low};
  const DoubleDouble scaled = two_product(turn.high, 0x1.921fb54442d18p+0);
  const double rest = turn.high * 0x1.1a62633145c07p-54 + turn.low * 0x1.921fb54442d18p+0;
  return {.quarter = quarter & 3U, .rest = two_sum(scaled.high, scaled.low + rest)};
}

Reduced reduce(double size) { return size < 0x1p20 ? reduce_small(size) : reduce_large(size); }

/// sin(x.high + x.low) for |x| <= pi/4.
double sin_rest(DoubleDouble x) {
  const double t = x.high * x.high;
  double p = -0x1.ab17bdcbd3414p-41;
  p = p * t + 0x1.61217ee5cca1bp-33;
  p = p * t - 0x1.ae64541295cdfp-26;
  p = p * t + 0x1.71de3a54607a5p-19;
  p = p * t - 0x1.a01a01a019937p-13;
  p = p * t + 0x1.1111111111110p-7;
  p = p * t - 0x1.5555555555555p-3;
  return x.high + (x.high * (t * p) + x.low * (1.0 - 0.5 * t));
}

/// cos(x.high + x.low) for |x| <= pi/4.
double cos_rest(DoubleDouble x) {
  const double t = x.high * x.high;
  double p = 0x1.ab78473be59d7p-45;
  p = p * t - 0x1.9394b9eb4d56dp-37;
  p = p * t + 0x1.1eed8deb82809p-29;
  p = p * t - 0x1.27e4fb7712ca2p-22;
  p = p * t + 0x1.a01a01a019d0ap-16;
  p = p * t - 0x1.6c16c16c16c16p-10;
  p = p * t + 0x1.5555555555555p-5;
  const double half = 0.5 * t;
  const double most = 1.0 - half;
  return most + (((1.0 - most) - half) + (t * t * p - x.high * x.low));
}

bool finite(double x) { return x - x == 0.0; }

/// sin(size + quarters * pi/2) for finite size >= 0.
double sin_of(double size, std::uint64_t quarters) {
  const Reduced reduced = reduce(size);
  const std::uint64_t quarter = reduced.quarter + quarters;
  const double value = quarter % 2 == 0 ? sin_rest(reduced.rest) : cos_rest(reduced.rest);
  return (quarter & 2U) == 0 ? value : -value;
}

}  // namespace

double sin64(double x) {
  if (!finite(x)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0.0) return x;
  return x < 0.0 ? -sin_of(-x, 0) : sin_of(x, 0);
}

double cos64(double x) {
  if (!finite(x)) return std::numeric_limits<double>::quiet_NaN();
  return sin_of(x < 0.0 ? -x : x, 1);
}

float sin(float x) { return static_cast<float>(sin64(static_cast<double>(x))); }

float cos(float x) { return static_cast<float>(cos64(static_cast<double>(x))); }

}  // namespace cairn::math
