// lanes: vectors of sixteen floats, by the names that kernels/cpu/lanes/ is written over, beside
// those of vectors.h.
#pragma once

#include "kernels/cpu/avx512vnni/vectors.h"

#if !defined(CAIRN_AVX512_MODEL)

#include "kernels/cpu/lanes/unrolled.h"

// Below stand this tier's instructions.
CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

using Mask = __mmask16;

inline constexpr std::size_t kLanes = 16;

/// Queries that share loads, and accumulators of each that fit in 32 registers beside what they are
/// made of. A page's 32 slots are two vectors.
inline constexpr int kSharedQueries = 8;
constexpr int score_vectors(int /*queries*/) { return 2; }
constexpr int value_vectors(int queries) { return queries <= 4 ? 4 : 2; }

/// Floats.
inline CAIRN_INLINE Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
inline CAIRN_INLINE Floats subtract(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
inline CAIRN_INLINE Floats divide(Floats a, Floats b) { return _mm512_div_ps(a, b); }
/// b where one of them is not a number.
inline CAIRN_INLINE Floats larger(Floats a, Floats b) { return _mm512_max_ps(a, b); }
inline CAIRN_INLINE Floats smaller(Floats a, Floats b) { return _mm512_min_ps(a, b); }

/// bf16 pairs: the even and the odd elements of 32 as f32.
inline CAIRN_INLINE Floats even(Ints pairs) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16));
}
inline CAIRN_INLINE Floats odd(Ints pairs) {
  return _mm512_castsi512_ps(
      _mm512_and_si512(pairs, _mm512_set1_epi32(static_cast<int>(0xFFFF0000U))));
}
/// kLanes signed bytes.
inline CAIRN_INLINE Floats bytes_as_floats(const std::int8_t* at) {
  const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(sixteen));
}

/// The first `count` lanes.
inline CAIRN_INLINE Mask first_lanes(std::size_t count) {
  return static_cast<Mask>(count >= kLanes ? 0xFFFFU : (1U << count) - 1);
}
/// The lanes at + i that lie in [begin, end).
inline CAIRN_INLINE Mask within(std::size_t at, std::size_t begin, std::size_t end) {
  const Mask before = first_lanes(end > at ? end - at : 0);
  return static_cast<Mask>(before & ~first_lanes(begin > at ? begin - at : 0));
}
/// a in the mask's lanes, b in the others.
inline CAIRN_INLINE Floats chosen(Mask mask, Floats a, Floats b) {
  return _mm512_mask_blend_ps(mask, b, a);
}
/// The first `count` lanes; the others are 0, and are not stored.
inline CAIRN_INLINE Floats load_first(const float* at, std::size_t count) {
  return _mm512_maskz_loadu_ps(first_lanes(count), at);
}
inline CAIRN_INLINE void store_first(float* at, std::size_t count, Floats value) {
  _mm512_mask_storeu_ps(at, first_lanes(count), value);
}
/// The largest lane.
inline float largest_of(Floats sixteen) {
  alignas(64) float lanes[kLanes];
  _mm512_store_ps(lanes, sixteen);
  float largest = lanes[0];
  for (const float lane : lanes) largest = lane > largest ? lane : largest;
  return largest;
}

/// Sixteen running sums, by slot mod 16; `at` is a multiple of kLanes.
inline constexpr std::size_t kSumLanes = 16;
class SumLanes {
 public:
  CAIRN_INLINE SumLanes() : of_(_mm512_setzero_ps()) {}
  CAIRN_INLINE void add(std::size_t /*at*/, Floats value) { of_ = _mm512_add_ps(of_, value); }
  /// Lane i adds lane i + 8, then + 4, + 2, + 1.
  CAIRN_INLINE float merged() const {
    const __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(of_), 1));
    const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(of_), high);
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
  }

 private:
  Floats of_;
};

/// For exponentials: 2^(k - 1) of numbers 1.5 * 2^23 + k.
inline CAIRN_INLINE Floats half_power_of_two(Floats rounded) {
  return _mm512_castsi512_ps(_mm512_add_epi32(_mm512_slli_epi32(_mm512_castps_si512(rounded), 23),
                                              _mm512_set1_epi32(126 << 23)));
}
/// a where x < limit, else b.
inline CAIRN_INLINE Floats chosen_below(Floats x, Floats limit, Floats a, Floats b) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, limit, _CMP_LT_OQ), b, a);
}
/// 0 where x < limit, else value.
inline CAIRN_INLINE Floats zero_below(Floats x, Floats limit, Floats value) {
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, limit, _CMP_NLT_UQ), value);
}
inline CAIRN_INLINE Floats magnitude(Floats x) { return _mm512_abs_ps(x); }
/// `value`, whose sign bit is 0, with that of x.
inline CAIRN_INLINE Floats with_sign_of(Floats x, Floats value) {
  const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x80000000U));
  return _mm512_castsi512_ps(
      _mm512_or_si512(_mm512_castps_si512(value), _mm512_and_si512(sign, _mm512_castps_si512(x))));
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
#endif
