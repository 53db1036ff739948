#include "tensor/quant/tq2_0.h"

#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_tq2_0(const std::byte* block, float* out) {
  const float d = load_f16(block + 64);
  for (std::size_t g = 0; g < 8; ++g) {
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint32_t q = load_u8(block + 32 * (g / 4) + i) >> (2 * (g % 4)) & 3;
      out[32 * g + i] = to_float(static_cast<std::int32_t>(q) - 1) * d;
    }
  }
}

}  // namespace cairn::tensor
