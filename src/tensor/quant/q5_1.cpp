#include "tensor/quant/q5_1.h"

#include <algorithm>

#include "tensor/quant/load.h"
#include "tensor/quant/store.h"

namespace cairn::tensor {

void decode_q5_1(const std::byte* block, float* out) {
  const float d = load_f16(block);
  const float m = load_f16(block + 2);
  const std::uint32_t fifth = load_u32(block + 4);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t pair = load_u8(block + 8 + i);
    out[i] = to_float((pair & 15) | (fifth >> i & 1) << 4) * d + m;
    out[i + 16] = to_float(pair >> 4 | (fifth >> (i + 16) & 1) << 4) * d + m;
  }
}

void encode_q5_1(const float* values, std::byte* block) {
  const auto [low, high] = std::minmax_element(values, values + 32);
  const float m = *low;
  const float d = (*high - m) / 31.0f;
  const float inverse = d == 0.0f ? 0.0f : 1.0f / d;
  store_f16(block, d);
  store_f16(block + 2, m);
  store_fives(block + 4,
              [&](std::size_t i) { return truncate((values[i] - m) * inverse + 0.5f, 0, 31); });
}

}  // namespace cairn::tensor
