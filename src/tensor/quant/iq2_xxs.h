// IQ2_XXS: 256 values in 66 bytes, 8 groups of 32: x = d (s + 1/2) / 4 times +-grid value.
// d f16; per group four bytes: indices into kGridIq2Xxs, and 32 bits: four times seven bits of
// signs (signs_of), then s in the top four.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_iq2_xxs(const std::byte* block, float* out);

}  // namespace cairn::tensor
