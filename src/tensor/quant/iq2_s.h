// IQ2_S: 256 values in 82 bytes, 16 groups of 16: x = d (s + 1/2) / 4 times +-grid value.
// d f16; 32 bytes: low bits of the indices into kGridIq2S; 32 bytes: a sign bit per value; 8 bytes:
// bit pair i % 4 of byte i / 4 = high bits of index i; 8 bytes: nibble g = s of group g.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq2_s(const std::byte* block, float* out);

}  // namespace cairn::tensor
