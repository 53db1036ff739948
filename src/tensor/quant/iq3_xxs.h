// IQ3_XXS: 256 values in 98 bytes, 8 groups of 32: x = d (s + 1/2) / 2 times +-grid value.
// d f16; 64 bytes: indices into kGridIq3Xxs, four values each; per group 32 bits: four times seven
// bits of signs (signs_of), then s in the top four.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq3_xxs(const std::byte* block, float* out);

}  // namespace cairn::tensor
