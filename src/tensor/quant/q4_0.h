// Q4_0: 32 values in 18 bytes, x = d (q - 8).
// d f16; 16 bytes: low nibble = value i, high nibble = value i + 16.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q4_0(const std::byte* block, float* out);

/// One block of finite `values` at `block`: the bytes that gguf-py writes. A value that is not
/// finite gives a block without meaning, never undefined behaviour.
void encode_q4_0(const float* values, std::byte* block);

}  // namespace cairn::tensor
