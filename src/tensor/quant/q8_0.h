// Q8_0: 32 values in 34 bytes, x = d q.
// d f16; 32 signed bytes.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_q8_0(const std::byte* block, float* out);

/// One block of finite `values` at `block`: the bytes that gguf-py writes. A value that is not
/// finite gives a block without meaning, never undefined behaviour.
void encode_q8_0(const float* values, std::byte* block);

}  // namespace cairn::tensor
