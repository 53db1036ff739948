// IQ3_S: 256 values in 110 bytes, 8 groups of 32: x = d (2 s + 1) times +-grid value.
// d f16; 64 bytes: low bits of the indices into kGridIq3S, four values each; 8 bytes: bit i % 8 of
// byte i / 8 = ninth bit of index i; 32 bytes: a sign bit per value; 4 bytes: nibble g = s of group
// g.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq3_s(const std::byte* block, float* out);

}  // namespace cairn::tensor
