#include "tensor/quant/q5_0.h"

#include "tensor/quant/load.h"

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

}  // namespace cairn::tensor
