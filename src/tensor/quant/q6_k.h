// Q6_K: 256 values in 210 bytes, 16 groups of 16: x = (d s) (q - 32).
// 128 bytes: low nibbles; 64 bytes: high bit pairs; 16 signed bytes: s; d f16.
// Half h = g / 8 and quarter k = g / 2 % 4: nibbles at 64 h + 32 (k % 2), the high ones for k >= 2;
// bit pair k of the bytes from 32 h.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q6_k(const std::byte* block, float* out);

/// One block of finite `values` at `block`: the bytes that llama.cpp's quantize_row_q6_K_ref
/// writes, compiled without contraction to fma. A value that is not
/// finite gives a block without meaning, never undefined behaviour.
void encode_q6_k(const float* values, std::byte* block);

}  // namespace cairn::tensor
