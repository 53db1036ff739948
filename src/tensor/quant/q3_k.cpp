#include "tensor/quant/q3_k.h"

#include "tensor/quant/load.h"

namespace cairn::tensor {

namespace {

std::int32_t scale_of(const std::byte* scales, std::size_t g) {
  const std::uint32_t low = g < 8 ? load_u8(scales + g) & 15 : load_u8(scales + g - 8) >> 4;
  const std::uint32_t high = load_u8(scales + 8 + g % 4) >> (2 * (g / 4)) & 3;
  return static_cast<std::int32_t>(low | high << 4) - 32;
}

}  // namespace

void decode_q3_k(const std::byte* block, float* out) {
  const float d = load_f16(block + 108);
  for (std::size_t g = 0; g < 16; ++g) {
    const float scale = d * to_float(scale_of(block + 96, g));
    const std::byte* third = block + 16 * (g % 2);
    const std::byte* bytes = block + 32 + 32 * (g / 8) + 16 * (g % 2);
    const std::size_t shift = 2 * (g / 2 % 4);
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint32_t q =
          (load_u8(bytes + i) >> shift & 3) | (load_u8(third + i) >> (g / 2) & 1) << 2;
      out[16 * g + i] = scale * to_float(static_cast<std::int32_t>(q) - 4);
    }
  }
}

}  // namespace cairn::tensor
