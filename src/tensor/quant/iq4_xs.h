// IQ4_XS: 256 values in 136 bytes, 8 groups of 32: x = d (s - 32) v[q], v from iq4_values.h.
// d f16; 16 bits: bit pair g = high bits of s; 4 bytes: nibble g = low bits of s; 128 bytes: per
// group 16 bytes of nibbles as in Q4_0.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq4_xs(const std::byte* block, float* out);

}  // namespace cairn::tensor
