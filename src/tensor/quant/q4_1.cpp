#include "tensor/quant/q4_1.h"

#include <algorithm>

#include "tensor/quant/load.h"
#include "tensor/quant/store.h"

namespace cairn::tensor {

void decode_q4_1(const std::byte* block, float* out) {
  const float d = load_f16(block);
  const float m = load_f16(block + 2);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t pair = load_u8(block + 4 + i);
    out[i] = to_float(pair & 15) * d + m;
    out[i + 16] = to_float(pair >> 4) * d + m;
  }
}

void encode_q4_1(const float* values, std::byte* block) {
  const auto [low, high] = std::minmax_element(values, values + 32);
  const float m = *low;
  const float d = (*high - m) / 15.0f;
  const float inverse = d == 0.0f ? 0.0f : 1.0f / d;
  store_f16(block, d);
  store_f16(block + 2, m);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t first = truncate((values[i] - m) * inverse + 0.5f, 0, 15);
    const std::uint32_t second = truncate((values[i + 16] - m) * inverse + 0.5f, 0, 15);
    block[4 + i] = static_cast<std::byte>(first | second << 4);
  }
}

}  // namespace cairn::tensor
