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

/// The values [k0, k0 + count) of a group as f32 [count][16]; `room` is used where they are not.
const float* widened(const PackedSegment& segment, const std::byte* group, std::size_t k0,
                     std::size_t count, float* room) {
  if (segment.type == ElementType::kF32) {
    return reinterpret_cast<const float*>(group) + k0 * kGroupRows;
  }
  const auto* pairs = reinterpret_cast<const std::uint16_t*>(group) + k0 * kGroupRows;
  const bool f16 = segment.type == ElementType::kF16;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint16_t* from = pairs + k / 2 * 2 * kGroupRows + k % 2;
    float* to = room + k * kGroupRows;
    if (f16) {
      for (std::size_t r = 0; r < kGroupRows; ++r) to[r] = f16_to_f32(from[2 * r]);
    } else {
      for (std::size_t r = 0; r < kGroupRows; ++r) to[r] = bf16_to_f32(from[2 * r]);
    }
  }
  return room;
}

}  // namespace

void dot_floats(const PackedSegment& segment, std::size_t group, const ConstMatrix& values,
                TokenRange tokens, float* y) {
  const std::byte* packed = segment.group(group);
  for (std::size_t i = 0; i < (tokens.end - tokens.begin) * kGroupRows; ++i) y[i] = 0;
  alignas(64) float room[kChain * kGroupRows];
  for (std::size_t k0 = 0; k0 < segment.cols; k0 += kChain) {
    const std::size_t count = std::min(kChain, segment.cols - k0);
    const float* w = widened(segment, packed, k0, count, room);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
      float chain[kGroupRows] = {};
      chain_block(w, values.data + t * values.stride + k0, count, chain);
      float* out = y + (t - tokens.begin) * kGroupRows;
      for (std::size_t r = 0; r < kGroupRows; ++r) out[r] = out[r] + chain[r];
    }
  }
}

}  // namespace cairn::kernels::portable
