// MXFP4: 32 values in 17 bytes, x = 2^(e - 127) E2M1[q].
// e, a byte without a code for NaN; 16 bytes of nibbles as in Q4_0.
// Computed as 2^(e - 128) times the doubled values of fp4_values.h.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_mxfp4(const std::byte* block, float* out);

/// Half of the power of two that the scale byte `e` stands for: 2^(e - 128).
float mxfp4_half_scale(unsigned e);

}  // namespace cairn::tensor
