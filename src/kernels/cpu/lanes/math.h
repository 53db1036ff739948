// math: exp and tanh of base/math.h for a vector: the same operations on f64 in the same order, so
// the same bits. No fma: the definition has none here.
#pragma once

#include "kernels/cpu/target.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// a * b + c in two roundings.
inline CAIRN_INLINE Doubles mul_add(Doubles a, Doubles b, double c) {
  return add(multiply(a, b), every_double(c));
}

/// math::detail::exp_core.
inline CAIRN_INLINE Doubles exp_core(Doubles x) {
  const Doubles round = every_double(0x1.8p52);
  const Doubles rounded = add(multiply(x, every_double(0x1.71547652b82fep+0)), round);
  const Doubles k = subtract(rounded, round);
  const Doubles high = subtract(x, multiply(k, every_double(0x1.62e42fefa3800p-1)));
  const Doubles r = subtract(high, multiply(k, every_double(0x1.ef35793c76730p-45)));
  Doubles q = mul_add(every_double(0x1.72ad458027fbcp-19), r, 0x1.a136bf03ec612p-16);
  q = mul_add(q, r, 0x1.a019c36bc053cp-13);
  q = mul_add(q, r, 0x1.6c166bde96885p-10);
  q = mul_add(q, r, 0x1.111111170bc08p-7);
  q = mul_add(q, r, 0x1.55555565c7e0ep-5);
  q = mul_add(q, r, 0x1.5555555554f96p-3);
  q = mul_add(q, r, 0x1.fffffffffe062p-2);
  const Doubles tail = multiply(multiply(r, r), q);
  const Doubles value = add(every_double(1.0), add(r, tail));
  return multiply(value, power_of_two(rounded));
}

/// Limits x; NaN stays.
inline CAIRN_INLINE Doubles clamped(Doubles x, double low, double high) {
  return larger(every_double(low), smaller(every_double(high), x));
}

/// Results of math::exp and math::tanh, still in f64.
inline CAIRN_INLINE Doubles exp_wide(Doubles x) {
  const Doubles result = exp_core(clamped(x, -104.0, 89.0));
  return chosen_below(result, every_double(0x1p-126), every_double(0.0), result);
}
inline CAIRN_INLINE Doubles tanh_wide(Doubles x) {
  const Doubles bounded = clamped(x, -20.0, 20.0);
  const Doubles e = exp_core(multiply(every_double(2.0), bounded));
  const Doubles large = divide(subtract(e, every_double(1.0)), add(e, every_double(1.0)));
  const Doubles t = multiply(bounded, bounded);
  Doubles series = mul_add(every_double(-1382.0 / 155925.0), t, 62.0 / 2835.0);
  series = mul_add(series, t, -(17.0 / 315.0));
  series = mul_add(series, t, 2.0 / 15.0);
  series = mul_add(series, t, -(1.0 / 3.0));
  const Doubles factor = add(every_double(1.0), multiply(t, series));
  const Doubles small = multiply(bounded, factor);
  return chosen_below(t, every_double(0x1p-8), small, large);
}

/// math::exp of each.
inline CAIRN_INLINE Floats exp(Floats x) {
  return joined(exp_wide(low_doubles(x)), exp_wide(high_doubles(x)));
}

/// math::tanh of each.
inline CAIRN_INLINE Floats tanh(Floats x) {
  return joined(tanh_wide(low_doubles(x)), tanh_wide(high_doubles(x)));
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
