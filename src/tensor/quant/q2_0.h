// Q2_0: 64 values in 18 bytes, x = d (q - 1).
// d f16; 16 bytes: two bits at 2 (i % 4) of byte i / 4 = value i.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q2_0(const std::byte* block, float* out);

}  // namespace cairn::tensor
