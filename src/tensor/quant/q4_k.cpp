#include "tensor/quant/q4_k.h"

#include "tensor/quant/k_scales.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_q4_k(const std::byte* block, float* out) {
  const float d = load_f16(block);
  const float dmin = load_f16(block + 2);
  for (std::size_t g = 0; g < 8; ++g) {
    const KScale packed = k_scale(block + 4, g);
    const float scale = d * to_float(packed.scale);
    const float minimum = dmin * to_float(packed.minimum);
    const std::byte* bytes = block + 16 + 32 * (g / 2);
    const std::size_t shift = 4 * (g % 2);
    for (std::size_t i = 0; i < 32; ++i) {
      out[32 * g + i] = scale * to_float(load_u8(bytes + i) >> shift & 15) - minimum;
    }
  }
}

}  // namespace cairn::tensor
