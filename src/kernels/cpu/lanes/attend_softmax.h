// What attention over caches of every type shares: sums in registers, and scores to p.
#pragma once

#include <cstddef>
#include <limits>

#include "kernels/cpu/kernels.h"
#include "kernels/cpu/lanes/math.h"
#include "kernels/cpu/lanes/unrolled.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// Scores of a chunk, then its p: [slot mod 256].
using Scores = float[kChunkSlots];

/// Accumulators of kQ queries, kVectors * kLanes of each.
template <int kQ, int kVectors>
struct Sums {
  Floats of[kQ][kVectors];
};

/// sums = 0.
template <int kQ, int kVectors>
inline CAIRN_INLINE void clear(Sums<kQ, kVectors>& sums) {
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE {
    unrolled<0, kVectors>([&](auto v) CAIRN_INLINE { sums.of[i][v] = every_float(0); });
  });
}

/// sums = what stands at each query's address.
template <int kQ, int kVectors>
inline CAIRN_INLINE void load(const float* const (&from)[kQ], Sums<kQ, kVectors>& sums) {
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE {
    unrolled<0, kVectors>([&](auto v)
                              CAIRN_INLINE { sums.of[i][v] = load_floats(from[i] + kLanes * v); });
  });
}

/// Stores each query's sums.
template <int kQ, int kVectors>
inline CAIRN_INLINE void store(const Sums<kQ, kVectors>& sums, float* const (&to)[kQ]) {
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE {
    unrolled<0, kVectors>([&](auto v)
                              CAIRN_INLINE { store_floats(to[i] + kLanes * v, sums.of[i][v]); });
  });
}

struct Slots {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Raw scores to p; sets the query's maximum and sum.
void soften(const AttendTask& task, Query& query, float* scores) {
  const std::size_t begin = query.begin % kChunkSlots;
  const std::size_t end = begin + (query.end - query.begin);
  const std::size_t first = begin / kSumLanes * kSumLanes;
  const Floats none = every_float(-std::numeric_limits<float>::infinity());
  const Floats cap = every_float(task.soft_cap);
  Floats largest = none;
  for (std::size_t at = first; at < end; at += kLanes) {
    Floats score = multiply(every_float(task.scale), load_floats(scores + at));
    if (task.soft_cap > 0) score = multiply(cap, tanh(divide(score, cap)));
    store_floats(scores + at, score);
    // A NaN is no maximum: then the second operand is taken.
    largest = larger(chosen(within(at, begin, end), score, none), largest);
  }
  query.maximum = largest_of(largest);
  SumLanes lanes;
  for (std::size_t at = first; at < end; at += kLanes) {
    const Floats distance = subtract(load_floats(scores + at), every_float(query.maximum));
    const Floats p = chosen(within(at, begin, end), exp(distance), every_float(0));
    store_floats(scores + at, p);
    lanes.add(at, p);  // a sum of positive numbers does not change by + 0
  }
  query.sum = lanes.merged();
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
