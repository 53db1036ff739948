// math: exp and tanh of base/math.h for eight floats: the same operations on f64 in the same order,
// so the same bits. No fma: the definition has none here.
#pragma once

#include "kernels/cpu/avx2/vectors.h"

// Below stand this tier's instructions.
CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// A constant in every lane.
inline CAIRN_INLINE __m256d wide(double value) { return _mm256_set1_pd(value); }

/// a * b + c in two roundings.
inline CAIRN_INLINE __m256d mul_add(__m256d a, __m256d b, double c) {
  return _mm256_add_pd(_mm256_mul_pd(a, b), wide(c));
}

/// math::detail::exp_core.
inline CAIRN_INLINE __m256d exp_core(__m256d x) {
  const __m256d round = wide(0x1.8p52);
  const __m256d rounded = _mm256_add_pd(_mm256_mul_pd(x, wide(0x1.71547652b82fep+0)), round);
  const __m256d k = _mm256_sub_pd(rounded, round);
  const __m256d high = _mm256_sub_pd(x, _mm256_mul_pd(k, wide(0x1.62e42fefa3800p-1)));
  const __m256d r = _mm256_sub_pd(high, _mm256_mul_pd(k, wide(0x1.ef35793c76730p-45)));
  __m256d q = mul_add(wide(0x1.72ad458027fbcp-19), r, 0x1.a136bf03ec612p-16);
  q = mul_add(q, r, 0x1.a019c36bc053cp-13);
  q = mul_add(q, r, 0x1.6c166bde96885p-10);
  q = mul_add(q, r, 0x1.111111170bc08p-7);
  q = mul_add(q, r, 0x1.55555565c7e0ep-5);
  q = mul_add(q, r, 0x1.5555555554f96p-3);
  q = mul_add(q, r, 0x1.fffffffffe062p-2);
  const __m256d tail = _mm256_mul_pd(_mm256_mul_pd(r, r), q);
  const __m256d value = _mm256_add_pd(wide(1.0), _mm256_add_pd(r, tail));
  const __m256i exponent = _mm256_add_epi64(_mm256_slli_epi64(_mm256_castpd_si256(rounded), 52),
                                            _mm256_set1_epi64x(1023LL << 52));
  return _mm256_mul_pd(value, _mm256_castsi256_pd(exponent));
}

/// Limits x; NaN stays.
inline CAIRN_INLINE __m256d clamped(__m256d x, double low, double high) {
  return _mm256_max_pd(wide(low), _mm256_min_pd(wide(high), x));
}

/// Four results of math::exp and math::tanh, still in f64.
inline CAIRN_INLINE __m256d exp_wide(__m128 x) {
  const __m256d result = exp_core(clamped(_mm256_cvtps_pd(x), -104.0, 89.0));
  return _mm256_andnot_pd(_mm256_cmp_pd(result, wide(0x1p-126), _CMP_LT_OQ), result);
}
inline CAIRN_INLINE __m256d tanh_wide(__m128 x) {
  const __m256d bounded = clamped(_mm256_cvtps_pd(x), -20.0, 20.0);
  const __m256d e = exp_core(_mm256_mul_pd(wide(2.0), bounded));
  const __m256d large = _mm256_div_pd(_mm256_sub_pd(e, wide(1.0)), _mm256_add_pd(e, wide(1.0)));
  const __m256d t = _mm256_mul_pd(bounded, bounded);
  __m256d series = mul_add(wide(-1382.0 / 155925.0), t, 62.0 / 2835.0);
  series = mul_add(series, t, -(17.0 / 315.0));
  series = mul_add(series, t, 2.0 / 15.0);
  series = mul_add(series, t, -(1.0 / 3.0));
  const __m256d factor = _mm256_add_pd(wide(1.0), _mm256_mul_pd(t, series));
  const __m256d small = _mm256_mul_pd(bounded, factor);
  return _mm256_blendv_pd(large, small, _mm256_cmp_pd(t, wide(0x1p-8), _CMP_LT_OQ));
}

/// Eight f32 from two times four f64.
inline CAIRN_INLINE __m256 joined(__m256d low, __m256d high) {
  return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

/// math::exp of each.
inline CAIRN_INLINE __m256 exp(__m256 x) {
  return joined(exp_wide(_mm256_castps256_ps128(x)), exp_wide(_mm256_extractf128_ps(x, 1)));
}

/// math::tanh of each.
inline CAIRN_INLINE __m256 tanh(__m256 x) {
  return joined(tanh_wide(_mm256_castps256_ps128(x)), tanh_wide(_mm256_extractf128_ps(x, 1)));
}

}  // namespace
}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
