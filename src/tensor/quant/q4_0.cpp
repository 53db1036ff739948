#include "tensor/quant/q4_0.h"

#include <cmath>

#include "tensor/quant/load.h"
#include "tensor/quant/store.h"

namespace cairn::tensor {

void decode_q4_0(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t pair = load_u8(block + 2 + i);
    out[i] = to_float(static_cast<std::int32_t>(pair & 15) - 8) * d;
    out[i + 16] = to_float(static_cast<std::int32_t>(pair >> 4) - 8) * d;
  }
}

// The value farthest from zero becomes -8, so that its sign is free and 16 levels are used.
void encode_q4_0(const float* values, std::byte* block) {
  float farthest = values[0];
  for (std::size_t i = 1; i < 32; ++i) {
    if (std::fabs(values[i]) > std::fabs(farthest)) farthest = values[i];
  }
  const float d = farthest / -8.0f;
  const float inverse = d == 0.0f ? 0.0f : 1.0f / d;
  store_f16(block, d);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t low = truncate(values[i] * inverse + 8.5f, 0, 15);
    const std::uint32_t high = truncate(values[i + 16] * inverse + 8.5f, 0, 15);
    block[2 + i] = static_cast<std::byte>(low | high << 4);
  }
}

}  // namespace cairn::tensor
