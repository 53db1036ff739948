#include "tensor/quant/q2_0.h"

#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_q2_0(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t q = load_u8(block + 2 + i / 4) >> (2 * (i % 4)) & 3;
    out[i] = to_float(static_cast<std::int32_t>(q) - 1) * d;
  }
}

}  // namespace cairn::tensor
