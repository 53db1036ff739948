// Q1_0: 128 values in 18 bytes, x = d where the bit is set, else -d.
// d f16; 16 bytes: bit i % 8 of byte i / 8 = value i.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q1_0(const std::byte* block, float* out);

}  // namespace cairn::tensor
