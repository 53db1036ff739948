// IQ1_S: 256 values in 50 bytes, 8 groups of 32: x = d (2 s + 1) (grid value +- 1/8).
// d f16; 32 bytes: low bits of the indices into kGridIq1; per group 16 bits: four times three high
// bits of the indices, three bits s, and in the top bit the sign of the eighth.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq1_s(const std::byte* block, float* out);

}  // namespace cairn::tensor
