#include "tensor/quant/iq1_m.h"

#include "tensor/quant/grids.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq1_m(const std::byte* block, float* out) {
  std::uint32_t d_bits = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    d_bits |= static_cast<std::uint32_t>(load_u16(block + 48 + 2 * i) >> 12) << (4 * i);
  }
  const float d = f16_to_f32(static_cast<std::uint16_t>(d_bits));
  for (std::size_t i = 0; i < 32; ++i, out += 8) {
    const std::size_t g = i / 2;
    const std::uint32_t s =
        static_cast<std::uint32_t>(load_u16(block + 48 + 2 * (g / 4))) >> (3 * (g % 4)) & 7;
    const std::uint32_t high = load_u8(block + 32 + i / 2) >> (4 * (i % 2)) & 15;
    const float delta = (high & 8) != 0 ? -kIq1Delta : kIq1Delta;
    expand_iq1(kGridIq1[load_u8(block + i) | (high & 7) << 8], delta, d * to_float(2 * s + 1), out);
  }
}

}  // namespace cairn::tensor
