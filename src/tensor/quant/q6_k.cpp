#include "tensor/quant/q6_k.h"

#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_q6_k(const std::byte* block, float* out) {
  const float d = load_f16(block + 208);
  for (std::size_t g = 0; g < 16; ++g) {
    const std::size_t quarter = g / 2 % 4;
    const float scale = d * to_float(load_i8(block + 192 + g));
    const std::byte* low = block + 64 * (g / 8) + 32 * (quarter % 2) + 16 * (g % 2);
    const std::byte* high = block + 128 + 32 * (g / 8) + 16 * (g % 2);
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint32_t q = (load_u8(low + i) >> (4 * (quarter / 2)) & 15) |
                              (load_u8(high + i) >> (2 * quarter) & 3) << 4;
      out[16 * g + i] = scale * to_float(static_cast<std::int32_t>(q) - 32);
    }
  }
}

}  // namespace cairn::tensor
