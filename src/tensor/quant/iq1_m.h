// IQ1_M: 256 values in 56 bytes, 16 groups of 16: x = d (2 s + 1) (grid value +- 1/8).
// 32 bytes: low bits of the indices into kGridIq1; 16 bytes: nibble i = three high bits of index i,
// and in its top bit the sign of the eighth; four times 16 bits: four times three bits s, and a
// nibble of d, an f16, lowest first.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq1_m(const std::byte* block, float* out);

}  // namespace cairn::tensor
