#include "tensor/quant/iq3_s.h"

#include "tensor/quant/grids.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq3_s(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t i = 0; i < 64; ++i, out += 4) {
    const std::size_t g = i / 8;
    const std::uint32_t s = load_u8(block + 106 + g / 2) >> (4 * (g % 2)) & 15;
    const float scale = d * to_float(1 + 2 * s);
    const std::uint32_t ninth = load_u8(block + 66 + i / 8) >> (i % 8) & 1;
    const std::uint32_t signs = load_u8(block + 74 + i / 2) >> (4 * (i % 2));
    expand_iq3(kGridIq3S[load_u8(block + 2 + i) | ninth << 8], kIq3SValues, {signs, scale}, out);
  }
}

}  // namespace cairn::tensor
