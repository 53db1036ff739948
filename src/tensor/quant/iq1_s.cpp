#include "tensor/quant/iq1_s.h"

#include "tensor/quant/grids.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq1_s(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t g = 0; g < 8; ++g) {
    const std::uint32_t rest = load_u16(block + 34 + 2 * g);
    const float scale = d * to_float(2 * (rest >> 12 & 7) + 1);
    const float delta = (rest & 0x8000) != 0 ? -kIq1Delta : kIq1Delta;
    for (std::size_t i = 0; i < 4; ++i, out += 8) {
      const std::uint32_t high = rest >> (3 * i) & 7;
      expand_iq1(kGridIq1[load_u8(block + 2 + 4 * g + i) | high << 8], delta, scale, out);
    }
  }
}

}  // namespace cairn::tensor
