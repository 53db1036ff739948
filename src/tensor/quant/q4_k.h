// Q4_K: 256 values in 144 bytes, 8 groups of 32: x = (d s) q - (dmin m).
// d f16; dmin f16; 12 bytes of scales (k_scales.h); 128 bytes: groups 2p and 2p + 1 are the low and
// the high nibbles of the 32 bytes from 32 p.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q4_k(const std::byte* block, float* out);

/// One block of finite `values` at `block`: the bytes that llama.cpp's quantize_row_q4_K_ref
/// writes, compiled without contraction to fma. A value that is not
/// finite gives a block without meaning, never undefined behaviour.
void encode_q4_k(const float* values, std::byte* block);

}  // namespace cairn::tensor
