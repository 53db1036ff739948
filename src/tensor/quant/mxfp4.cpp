#include "tensor/quant/mxfp4.h"

#include <bit>

#include "tensor/quant/fp4_values.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

float mxfp4_half_scale(unsigned e) {
  // Below the smallest normal float the power of two is a bit of the fraction.
  const std::uint32_t bits = e < 2 ? 0x00200000u << e : (e - 1) << 23;
  return std::bit_cast<float>(bits);
}

void decode_mxfp4(const std::byte* block, float* out) {
  const float half = mxfp4_half_scale(load_u8(block));
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t pair = load_u8(block + 1 + i);
    out[i] = half * static_cast<float>(kFp4DoubledValues[pair & 15]);
    out[i + 16] = half * static_cast<float>(kFp4DoubledValues[pair >> 4]);
  }
}

}  // namespace cairn::tensor
