// math_ulps: the error of functions of f32, for tests.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace cairn::math {

/// |got - exact| in units of the last place of an f32 near `exact`.
inline double f32_ulps(float got, long double exact) {
  int exponent = 0;
  (void)std::frexp(exact, &exponent);
  const long double ulp = std::ldexp(1.0L, std::max(exponent - 24, -149));
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / ulp);
}

/// The largest error of `function` against `exact` over every `stride`th f32 from `low` to `high`
/// in bit order (both of one sign).
template <typename Function, typename Exact>
double worst_ulps(float low, float high, std::uint32_t stride, Function function, Exact exact) {
  double worst = 0;
  const auto last = std::bit_cast<std::uint32_t>(high);
  for (auto bits = std::bit_cast<std::uint32_t>(low); bits < last; bits += stride) {
    const auto x = std::bit_cast<float>(bits);
    worst = std::max(worst, f32_ulps(function(x), exact(static_cast<long double>(x))));
  }
  return worst;
}

}  // namespace cairn::math
