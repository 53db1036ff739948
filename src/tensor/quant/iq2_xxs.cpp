#include "tensor/quant/iq2_xxs.h"

#include "tensor/quant/grids.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq2_xxs(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t g = 0; g < 8; ++g) {
    const std::byte* group = block + 2 + 8 * g;
    const std::uint32_t rest = load_u32(group + 4);
    const float scale = d * (0.5f + to_float(rest >> 28)) * 0.25f;
    for (std::size_t i = 0; i < 4; ++i, out += 8) {
      const std::uint32_t signs = signs_of(rest >> (7 * i) & 127);
      expand_iq2(kGridIq2Xxs[load_u8(group + i)], signs, scale, out);
    }
  }
}

}  // namespace cairn::tensor
