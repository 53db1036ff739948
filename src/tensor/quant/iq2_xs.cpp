#include "tensor/quant/iq2_xs.h"

#include "tensor/quant/grids.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq2_xs(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t g = 0; g < 16; ++g) {
    const std::uint32_t s = load_u8(block + 66 + g / 2) >> (4 * (g % 2)) & 15;
    const float scale = d * (0.5f + to_float(s)) * 0.25f;
    for (std::size_t i = 0; i < 2; ++i, out += 8) {
      const std::uint32_t code = load_u16(block + 2 + 2 * (2 * g + i));
      expand_iq2(kGridIq2Xs[code & 511], signs_of(code >> 9), scale, out);
    }
  }
}

}  // namespace cairn::tensor
