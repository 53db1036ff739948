// lanes: vectors of eight floats, by the names that kernels/cpu/lanes/ is written over.
#pragma once

#include "kernels/cpu/avx2/vectors.h"

// Below stand this tier's instructions.
CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

using Ints = __m256i;
using Floats = __m256;
using Mask = __m256;

inline constexpr std::size_t kLanes = 8;

/// Queries that share loads, and accumulators of each that fit in sixteen registers beside what
/// they are made of; fewer than eight chains leave the multipliers waiting.
inline constexpr int kSharedQueries = 4;
constexpr int score_vectors(int queries) { return queries == 4 ? 2 : 4; }
constexpr int value_vectors(int queries) { return score_vectors(queries); }

/// Loads and stores at any alignment.
inline CAIRN_INLINE Ints load(const void* at) { return load_256(at); }
inline CAIRN_INLINE Floats load_floats(const float* at) { return _mm256_loadu_ps(at); }
inline CAIRN_INLINE void store_floats(float* at, Floats value) { _mm256_storeu_ps(at, value); }

/// Floats; fused rounds once.
inline CAIRN_INLINE Floats every_float(float value) { return _mm256_set1_ps(value); }
inline CAIRN_INLINE Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
inline CAIRN_INLINE Floats subtract(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
inline CAIRN_INLINE Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
inline CAIRN_INLINE Floats divide(Floats a, Floats b) { return _mm256_div_ps(a, b); }
inline CAIRN_INLINE Floats fused(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
inline CAIRN_INLINE Floats negated(Floats a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0F)); }
/// b where one of them is not a number.
inline CAIRN_INLINE Floats larger(Floats a, Floats b) { return _mm256_max_ps(a, b); }
inline CAIRN_INLINE Floats smaller(Floats a, Floats b) { return _mm256_min_ps(a, b); }

/// bf16 pairs: the even and the odd elements of 16 as f32.
inline CAIRN_INLINE Floats even(Ints pairs) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16));
}
/// The mask stays in memory: with twelve sums, three factors and what is multiplied the sixteen
/// registers are full, and gcc 12 would rather keep the mask there and a sum in memory.
alignas(32) constexpr std::uint32_t kHighHalves[8] = {0xFFFF0000U, 0xFFFF0000U, 0xFFFF0000U,
                                                      0xFFFF0000U, 0xFFFF0000U, 0xFFFF0000U,
                                                      0xFFFF0000U, 0xFFFF0000U};
inline CAIRN_INLINE Floats odd(Ints pairs) {
  asm("vpand %1, %0, %0" : "+x"(pairs) : "m"(kHighHalves));
  return _mm256_castsi256_ps(pairs);
}
/// kLanes signed bytes.
inline CAIRN_INLINE Floats bytes_as_floats(const std::int8_t* at) {
  const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight));
}

/// The lanes at + i that lie in [begin, end).
inline CAIRN_INLINE Mask within(std::size_t at, std::size_t begin, std::size_t end) {
  const __m256i slots = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(at)),
                                         _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i below = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(begin)), slots);
  const __m256i before = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(end)), slots);
  return _mm256_castsi256_ps(_mm256_andnot_si256(below, before));
}
/// a in the mask's lanes, b in the others.
inline CAIRN_INLINE Floats chosen(Mask mask, Floats a, Floats b) {
  return _mm256_blendv_ps(b, a, mask);
}
/// The first `count` lanes; the others are 0, and are not stored.
inline CAIRN_INLINE Floats load_first(const float* at, std::size_t count) {
  return _mm256_maskload_ps(at, _mm256_castps_si256(within(0, 0, count)));
}
inline CAIRN_INLINE void store_first(float* at, std::size_t count, Floats value) {
  _mm256_maskstore_ps(at, _mm256_castps_si256(within(0, 0, count)), value);
}
/// The largest lane.
inline float largest_of(Floats eight) {
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, eight);
  float largest = lanes[0];
  for (const float lane : lanes) largest = lane > largest ? lane : largest;
  return largest;
}

/// Lane i adds lane i + 8, then + 4, + 2, + 1.
inline float merged(Floats low, Floats high) {
  const __m256 eight = _mm256_add_ps(low, high);
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/// Sixteen running sums, by slot mod 16; `at` is a multiple of kLanes.
inline constexpr std::size_t kSumLanes = 16;
class SumLanes {
 public:
  CAIRN_INLINE SumLanes() : of_{every_float(0), every_float(0)} {}
  CAIRN_INLINE void add(std::size_t at, Floats value) {
    Floats& lane = of_[at / kLanes % 2];
    lane = _mm256_add_ps(lane, value);
  }
  CAIRN_INLINE float merged() const { return cairn::kernels::CAIRN_TIER::merged(of_[0], of_[1]); }

 private:
  Floats of_[2];
};

/// For exponentials: 2^(k - 1) of numbers 1.5 * 2^23 + k.
inline CAIRN_INLINE Floats half_power_of_two(Floats rounded) {
  return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_slli_epi32(_mm256_castps_si256(rounded), 23),
                                              _mm256_set1_epi32(126 << 23)));
}
/// a where x < limit, else b.
inline CAIRN_INLINE Floats chosen_below(Floats x, Floats limit, Floats a, Floats b) {
  return _mm256_blendv_ps(b, a, _mm256_cmp_ps(x, limit, _CMP_LT_OQ));
}
/// 0 where x < limit, else value.
inline CAIRN_INLINE Floats zero_below(Floats x, Floats limit, Floats value) {
  return _mm256_andnot_ps(_mm256_cmp_ps(x, limit, _CMP_LT_OQ), value);
}
inline CAIRN_INLINE Floats magnitude(Floats x) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
}
/// `value`, whose sign bit is 0, with that of x.
inline CAIRN_INLINE Floats with_sign_of(Floats x, Floats value) {
  return _mm256_or_ps(value, _mm256_and_ps(_mm256_set1_ps(-0.0F), x));
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
