// Sixteen partial sums and their one merge tree: the order of every row reduction
// (docs/numerics.md).
#pragma once

#include <cstddef>

namespace cairn::kernels::portable {

inline constexpr std::size_t kLanes = 16;

/// lane i += lane i + 8, then + 4, + 2, + 1.
inline float merge_lanes(const float* lanes) {
  float sums[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) sums[i] = lanes[i];
  for (std::size_t step = kLanes / 2; step > 0; step /= 2) {
    for (std::size_t i = 0; i < step; ++i) sums[i] = sums[i] + sums[i + step];
  }
  return sums[0];
}

}  // namespace cairn::kernels::portable
