#include "tensor/quant/q2_k.h"

#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_q2_k(const std::byte* block, float* out) {
  const float d = load_f16(block + 80);
  const float dmin = load_f16(block + 82);
  for (std::size_t g = 0; g < 16; ++g) {
    const std::uint32_t packed = load_u8(block + g);
    const float scale = d * to_float(packed & 15);
    const float minimum = dmin * to_float(packed >> 4);
    const std::byte* bytes = block + 16 + 32 * (g / 8) + 16 * (g % 2);
    const std::size_t shift = 2 * (g / 2 % 4);
    for (std::size_t i = 0; i < 16; ++i) {
      out[16 * g + i] = scale * to_float(load_u8(bytes + i) >> shift & 3) - minimum;
    }
  }
}

}  // namespace cairn::tensor
