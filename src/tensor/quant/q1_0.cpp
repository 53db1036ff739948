#include "tensor/quant/q1_0.h"

#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_q1_0(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t i = 0; i < 128; ++i) {
    out[i] = (load_u8(block + 2 + i / 8) >> (i % 8) & 1) != 0 ? d : -d;
  }
}

}  // namespace cairn::tensor
