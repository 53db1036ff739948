#include "tensor/quant/iq2_s.h"

#include "tensor/quant/grids.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq2_s(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t i = 0; i < 32; ++i, out += 8) {
    const std::size_t g = i / 2;
    const std::uint32_t s = load_u8(block + 74 + g / 2) >> (4 * (g % 2)) & 15;
    const float scale = d * (0.5f + to_float(s)) * 0.25f;
    const std::uint32_t high = load_u8(block + 66 + i / 4) >> (2 * (i % 4)) & 3;
    const std::uint32_t index = load_u8(block + 2 + i) | high << 8;
    expand_iq2(kGridIq2S[index], load_u8(block + 34 + i), scale, out);
  }
}

}  // namespace cairn::tensor
