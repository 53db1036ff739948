// Numbers as the sum of two doubles, for the steps of math*.cpp that need more than 53 bits.
// Source: Dekker, "A floating-point technique for extending the available precision", 1971.
#pragma once

namespace cairn::math {

/// high + low, with |low| at most half an ulp of high.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

/// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {.high = sum, .low = (a - (sum - from_b)) + (b - from_b)};
}

/// a * b exactly, for magnitudes below 2^990 and a product above 2^-960.
inline DoubleDouble two_product(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1.0;
  const double a_high = kSplit * a - (kSplit * a - a);
  const double b_high = kSplit * b - (kSplit * b - b);
  const double a_low = a - a_high;
  const double b_low = b - b_high;
  const double product = a * b;
  const double rest = ((a_high * b_high - product) + a_high * b_low) + a_low * b_high;
  return {.high = product, .low = rest + a_low * b_low};
}

/// log(x) to about 2^-60, for finite x > 0.
DoubleDouble log_double_double(double x);

/// exp(x.high + x.low); 0 below 2^-1022. NaN gives NaN.
double exp_double_double(DoubleDouble x);

}  // namespace cairn::math
