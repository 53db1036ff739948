#include "tensor/quant/iq4_xs.h"

#include "tensor/quant/iq4_values.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq4_xs(const std::byte* block, float* out) {
  const float d = load_f16(block);
  const std::uint32_t high = load_u16(block + 2);
  for (std::size_t g = 0; g < 8; ++g) {
    const std::uint32_t s =
        (load_u8(block + 4 + g / 2) >> (4 * (g % 2)) & 15) | (high >> (2 * g) & 3) << 4;
    const float scale = d * to_float(static_cast<std::int32_t>(s) - 32);
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint32_t pair = load_u8(block + 8 + 16 * g + i);
      out[32 * g + i] = scale * static_cast<float>(kIq4Values[pair & 15]);
      out[32 * g + i + 16] = scale * static_cast<float>(kIq4Values[pair >> 4]);
    }
  }
}

}  // namespace cairn::tensor
