#include "tensor/quant/q8_0.h"

#include <algorithm>
#include <cmath>

#include "tensor/quant/load.h"
#include "tensor/quant/store.h"

namespace cairn::tensor {

void decode_q8_0(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t i = 0; i < 32; ++i) out[i] = to_float(load_i8(block + 2 + i)) * d;
}

void encode_q8_0(const float* values, std::byte* block) {
  float largest = 0.0f;
  for (std::size_t i = 0; i < 32; ++i) largest = std::max(largest, std::fabs(values[i]));
  const float d = largest / 127.0f;
  const float inverse = d == 0.0f ? 0.0f : 1.0f / d;
  store_f16(block, d);
  for (std::size_t i = 0; i < 32; ++i) {
    // Halves go away from zero, as ggml's roundf does.
    const float scaled = values[i] * inverse;
    const float size = std::floor(std::fabs(scaled));
    const float rounded = size + std::floor(2.0f * (std::fabs(scaled) - size));
    const std::uint32_t q = truncate(rounded, 0, 127);
    block[2 + i] = static_cast<std::byte>(scaled < 0.0f ? 256 - q : q);
  }
}

}  // namespace cairn::tensor
