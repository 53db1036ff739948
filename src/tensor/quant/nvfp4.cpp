#include "tensor/quant/nvfp4.h"

#include <bit>

#include "tensor/quant/fp4_values.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

float nvfp4_half_scale(unsigned code) {
  if (code == 0 || code == 0x7F) return 0.0f;
  const std::uint32_t exponent = code >> 3 & 15;
  const std::uint32_t fraction = code & 7;
  if (exponent == 0) return to_float(fraction) * 0x1p-10f;
  // (1 + fraction / 8) 2^(exponent - 7) / 2, put together as bits: both parts fit exactly.
  return std::bit_cast<float>((exponent - 8 + 127) << 23 | fraction << 20);
}

void decode_nvfp4(const std::byte* block, float* out) {
  for (std::size_t g = 0; g < 4; ++g) {
    const float half = nvfp4_half_scale(load_u8(block + g));
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t pair = load_u8(block + 4 + 8 * g + i);
      out[16 * g + i] = half * static_cast<float>(kFp4DoubledValues[pair & 15]);
      out[16 * g + i + 8] = half * static_cast<float>(kFp4DoubledValues[pair >> 4]);
    }
  }
}

}  // namespace cairn::tensor
