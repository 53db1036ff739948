// NVFP4: 64 values in 36 bytes, 4 groups of 16: x = s E2M1[q].
// 4 bytes: s as unsigned E4M3; per group 8 bytes: low nibble = value i, high nibble = value i + 8.
// Computed as s / 2 times the doubled values of fp4_values.h.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_nvfp4(const std::byte* block, float* out);

/// Half of what the scale byte stands for: E4M3 without its sign (bit 7 is ignored); 0x7F is 0, as
/// in ggml.
float nvfp4_half_scale(unsigned code);

}  // namespace cairn::tensor
