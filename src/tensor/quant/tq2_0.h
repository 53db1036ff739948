// TQ2_0: 256 ternary values in 66 bytes, x = d (q - 1).
// 64 bytes: bit pair p of byte 32 h + i = value 128 h + 32 p + i; d f16.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_tq2_0(const std::byte* block, float* out);

}  // namespace cairn::tensor
