// Q4_1: 32 values in 20 bytes, x = d q + m.
// d f16; m f16; 16 bytes: low nibble = value i, high nibble = value i + 16.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q4_1(const std::byte* block, float* out);

/// One block of finite `values` at `block`: the bytes that gguf-py writes. A value that is not
/// finite gives a block without meaning, never undefined behaviour.
void encode_q4_1(const float* values, std::byte* block);

}  // namespace cairn::tensor
