// TQ1_0: 256 ternary values in 54 bytes, x = d (t - 1).
// 48 bytes of five values each, 4 bytes of four; d f16. A byte b holds its digits in base 3 as a
// fraction of 256: digit n = (b 3^n mod 256) 3 / 256. Bytes 0-31 give values n 32 + byte, bytes
// 32-47 values 160 + n 16 + byte, the last four 240 + n 4 + byte.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// One block at `block` into `out`. Any bytes are fine.
void decode_tq1_0(const std::byte* block, float* out);

}  // namespace cairn::tensor
