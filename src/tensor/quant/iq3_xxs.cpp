#include "tensor/quant/iq3_xxs.h"

#include "tensor/quant/grids.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq3_xxs(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t g = 0; g < 8; ++g) {
    const std::uint32_t rest = load_u32(block + 66 + 4 * g);
    const float scale = d * (0.5f + to_float(rest >> 28)) * 0.5f;
    for (std::size_t i = 0; i < 8; ++i, out += 4) {
      const std::uint32_t signs = signs_of(rest >> (7 * (i / 2)) & 127) >> (4 * (i % 2));
      expand_iq3(kGridIq3Xxs[load_u8(block + 2 + 8 * g + i)], kIq3XxsValues, {signs, scale}, out);
    }
  }
}

}  // namespace cairn::tensor
