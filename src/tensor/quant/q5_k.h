// Q5_K: 256 values in 176 bytes, 8 groups of 32: x = (d s) q - (dmin m).
// d f16; dmin f16; 12 bytes of scales (k_scales.h); 32 bytes: bit g = fifth bit of group g's
// values; 128 bytes of nibbles as in Q4_K.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q5_k(const std::byte* block, float* out);

}  // namespace cairn::tensor
