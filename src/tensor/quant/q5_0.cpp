#include "tensor/quant/q5_0.h"

#include <cmath>

#include "tensor/quant/load.h"
#include "tensor/quant/store.h"

namespace cairn::tensor {

void decode_q5_0(const std::byte* block, float* out) {
  const float d = load_f16(block);
  const std::uint32_t fifth = load_u32(block + 2);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t pair = load_u8(block + 6 + i);
    const std::uint32_t low = (pair & 15) | (fifth >> i & 1) << 4;
    const std::uint32_t high = pair >> 4 | (fifth >> (i + 16) & 1) << 4;
    out[i] = to_float(static_cast<std::int32_t>(low) - 16) * d;
    out[i + 16] = to_float(static_cast<std::int32_t>(high) - 16) * d;
  }
}

void encode_q5_0(const float* values, std::byte* block) {
  float largest = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    if (std::fabs(values[i]) > std::fabs(largest)) largest = values[i];
  }
  const float d = largest / -16;
  const float inverse = d == 0.0f ? 0.0f : 1.0f / d;
  store_f16(block, d);
  store_fives(block + 2,
              [&](std::size_t i) { return truncate(values[i] * inverse + 16.5f, 0, 31); });
}

}  // namespace cairn::tensor
