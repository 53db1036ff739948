// math: fused_exp and fused_tanh of base/math_fused.h for a vector: the same steps in the same
// order, so the same bits.
#pragma once

#include "base/math_fused.h"
#include "kernels/cpu/lanes/unrolled.h"
#include "kernels/cpu/target.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// The polynomial of `series`, highest power first, by Horner's rule.
template <int kCount>
inline CAIRN_INLINE Floats series_of(const float (&series)[kCount], Floats x) {
  Floats sum = every_float(series[0]);
  unrolled<1, kCount>([&](auto i) CAIRN_INLINE { sum = fused(sum, x, every_float(series[i])); });
  return sum;
}

/// math::fused_exp of each.
inline CAIRN_INLINE Floats exp(Floats x) {
  using C = math::FusedExp;
  const Floats round = every_float(C::kRoundToInteger);
  const Floats bounded = smaller(every_float(C::kMost), x);
  const Floats rounded = fused(bounded, every_float(C::kLog2E), round);
  const Floats k = subtract(rounded, round);
  const Floats high = fused(k, every_float(-C::kLn2High), bounded);
  const Floats r = fused(k, every_float(-C::kLn2Low), high);
  const Floats tail = fused(multiply(r, r), series_of(C::kSeries, r), r);
  const Floats value = add(every_float(1.0F), tail);
  const Floats result = multiply(add(value, value), half_power_of_two(rounded));
  return zero_below(x, every_float(C::kLeast), result);
}

/// math::fused_tanh of each.
inline CAIRN_INLINE Floats tanh(Floats x) {
  using C = math::FusedTanh;
  const Floats one = every_float(1.0F);
  const Floats z = magnitude(x);
  const Floats t = multiply(z, z);
  const Floats small = fused(multiply(z, t), series_of(C::kSeries, t), z);
  const Floats large = subtract(one, divide(every_float(2.0F), add(exp(add(z, z)), one)));
  return with_sign_of(x, chosen_below(z, every_float(C::kSmall), small, large));
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
