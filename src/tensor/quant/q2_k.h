// Q2_K: 256 values in 84 bytes, 16 groups of 16: x = (d s) q - (dmin m).
// 16 bytes: s low nibble, m high nibble; 64 bytes of two-bit values; d f16; dmin f16.
// Group g takes bits 2 (g / 2 % 4) of the bytes from 32 (g / 8) + 16 (g % 2).
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q2_k(const std::byte* block, float* out);

}  // namespace cairn::tensor
