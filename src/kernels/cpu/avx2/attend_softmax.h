// What attention over caches of every type shares: sums in registers, and scores to p.
#pragma once

#include <cstddef>
#include <limits>

#include "kernels/cpu/avx2/math.h"
#include "kernels/cpu/kernels.h"

// Below stand this tier's instructions.
CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

constexpr int kShared = 4;

/// Scores of a chunk, then its p: [slot mod 256].
using Scores = float[kChunkSlots];

/// Accumulators of kQ queries, kVectors * 8 of each.
template <int kQ, int kVectors>
struct Sums {
  __m256 of[kQ][kVectors];
};

/// How many accumulators of each query fit in sixteen registers beside what they are made of; fewer
/// than eight chains leave the multipliers waiting.
constexpr int vectors_of(int queries) { return queries == 4 ? 2 : 4; }

/// sums = 0.
template <int kQ, int kVectors>
inline CAIRN_INLINE void clear(Sums<kQ, kVectors>& sums) {
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE {
    unrolled<0, kVectors>([&](auto v) CAIRN_INLINE { sums.of[i][v] = _mm256_setzero_ps(); });
  });
}

/// sums = what stands at each query's address.
template <int kQ, int kVectors>
inline CAIRN_INLINE void load(const float* const (&from)[kQ], Sums<kQ, kVectors>& sums) {
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE {
    unrolled<0, kVectors>([&](auto v)
                              CAIRN_INLINE { sums.of[i][v] = _mm256_loadu_ps(from[i] + 8 * v); });
  });
}

/// Stores each query's sums.
template <int kQ, int kVectors>
inline CAIRN_INLINE void store(const Sums<kQ, kVectors>& sums, float* const (&to)[kQ]) {
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE {
    unrolled<0, kVectors>([&](auto v)
                              CAIRN_INLINE { _mm256_storeu_ps(to[i] + 8 * v, sums.of[i][v]); });
  });
}

struct Slots {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Ones for the slots of eight that lie in [begin, end), all mod 256 but the end.
inline CAIRN_INLINE __m256 within(std::size_t at, std::size_t begin, std::size_t end) {
  const __m256i slots = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(at)),
                                         _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i below = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(begin)), slots);
  const __m256i before = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(end)), slots);
  return _mm256_castsi256_ps(_mm256_andnot_si256(below, before));
}

/// The largest lane.
inline float largest_of(__m256 eight) {
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, eight);
  float largest = lanes[0];
  for (const float lane : lanes) largest = lane > largest ? lane : largest;
  return largest;
}

/// Lane i adds lane i + 8, then + 4, + 2, + 1.
inline float merged(__m256 low, __m256 high) {
  const __m256 eight = _mm256_add_ps(low, high);
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/// Raw scores to p; sets the query's maximum and sum.
void soften(const AttendTask& task, Query& query, float* scores) {
  const std::size_t begin = query.begin % kChunkSlots;
  const std::size_t end = begin + (query.end - query.begin);
  const __m256 none = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
  const __m256 cap = _mm256_set1_ps(task.soft_cap);
  __m256 largest = none;
  for (std::size_t at = begin / 8 * 8; at < end; at += 8) {
    __m256 score = _mm256_mul_ps(_mm256_set1_ps(task.scale), _mm256_loadu_ps(scores + at));
    if (task.soft_cap > 0) score = _mm256_mul_ps(cap, tanh(_mm256_div_ps(score, cap)));
    _mm256_storeu_ps(scores + at, score);
    // A NaN is no maximum: then the second operand is taken.
    largest = _mm256_max_ps(_mm256_blendv_ps(none, score, within(at, begin, end)), largest);
  }
  query.maximum = largest_of(largest);
  __m256 lanes[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
  for (std::size_t at = begin / 8 * 8; at < end; at += 8) {
    const __m256 distance =
        _mm256_sub_ps(_mm256_loadu_ps(scores + at), _mm256_set1_ps(query.maximum));
    const __m256 p = _mm256_and_ps(exp(distance), within(at, begin, end));
    _mm256_storeu_ps(scores + at, p);
    __m256& lane = lanes[at / 8 % 2];
    lane = _mm256_add_ps(lane, p);  // a sum of positive numbers does not change by + 0
  }
  query.sum = merged(lanes[0], lanes[1]);
}

}  // namespace
}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
