#include "tensor/quant/iq4_nl.h"

#include "tensor/quant/iq4_values.h"
#include "tensor/quant/load.h"

namespace cairn::tensor {

void decode_iq4_nl(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t pair = load_u8(block + 2 + i);
    out[i] = d * static_cast<float>(kIq4Values[pair & 15]);
    out[i + 16] = d * static_cast<float>(kIq4Values[pair >> 4]);
  }
}

}  // namespace cairn::tensor
