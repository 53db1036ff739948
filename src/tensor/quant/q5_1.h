// Q5_1: 32 values in 24 bytes, x = d q + m.
// d f16; m f16; 4 bytes: bit i = fifth bit of value i; 16 bytes of nibbles as in Q4_0.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q5_1(const std::byte* block, float* out);

/// One block of finite `values` at `block`: the bytes that gguf-py writes. A value that is not
/// finite gives a block without meaning, never undefined behaviour.
void encode_q5_1(const float* values, std::byte* block);

}  // namespace cairn::tensor
