// Q3_K: 256 values in 110 bytes, 16 groups of 16: x = d (s - 32) (q - 4).
// 32 bytes: bit g / 2 = third bit of the values; 64 bytes of two-bit values as in Q2_K; 12 bytes:
// 16 six-bit scales (low nibbles in the first eight bytes, high bits in the last four); d f16.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q3_k(const std::byte* block, float* out);

}  // namespace cairn::tensor
