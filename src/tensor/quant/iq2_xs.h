// IQ2_XS: 256 values in 74 bytes, 16 groups of 16: x = d (s + 1/2) / 4 times +-grid value.
// d f16; 32 times 16 bits: nine bits of index into kGridIq2Xs, seven bits of signs (signs_of); 8
// bytes: nibble g = s of group g.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq2_xs(const std::byte* block, float* out);

}  // namespace cairn::tensor
