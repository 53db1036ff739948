// Float weights: one fma chain per output over ascending k inside blocks of 256, block sums added
// ascending, both from +0.
#include <algorithm>

#include "base/float16.h"
#include "kernels/cpu/portable/fma_lanes.h"
#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {
namespace {

constexpr std::size_t kChain = 256;

/// The chain of one block: w [count][16] against x [count].
void chain_block(const float* w, const float* x, std::size_t count, float* chain) {
  for (std::size_t k = 0; k < count; ++k) {
    const float* row = w + k * kGroupRows;
    const float value = x[k];
    fma_lanes<kGroupRows>(
        chain, [row](std::size_t r) { return row[r]; }, [value](std::size_t) { return value; });
  }
}

}  // namespace

void dot_floats(const PackedSegment& segment, std::size_t group, const ConstMatrix& values,
                TokenRange tokens, float* y) {
  const std::byte* packed = segment.group(group);
  for (std::size_t i = 0; i < (tokens.end - tokens.begin) * kGroupRows; ++i) y[i] = 0;
  alignas(64) float w[kChain * kGroupRows];
  for (std::size_t k0 = 0; k0 < segment.cols; k0 += kChain) {
    const std::size_t count = std::min(kChain, segment.cols - k0);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t r = 0; r < kGroupRows; ++r) {
        w[k * kGroupRows + r] = load_float(segment, packed, k0 + k, r);
      }
    }
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
      float chain[kGroupRows] = {};
      chain_block(w, values.data + t * values.stride + k0, count, chain);
      float* out = y + (t - tokens.begin) * kGroupRows;
      for (std::size_t r = 0; r < kGroupRows; ++r) out[r] = out[r] + chain[r];
    }
  }
}

}  // namespace cairn::kernels::portable
