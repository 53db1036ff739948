// IQ4_NL: 32 values in 18 bytes, x = d v[q], v from iq4_values.h.
// d f16; 16 bytes of nibbles as in Q4_0.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq4_nl(const std::byte* block, float* out);

}  // namespace cairn::tensor
