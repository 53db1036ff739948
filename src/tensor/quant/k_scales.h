// The eight six-bit scales and minimums that Q4_K and Q5_K pack into 12 bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/quant/load.h"

namespace cairn::tensor {

struct KScale {
  std::uint32_t scale = 0;
  std::uint32_t minimum = 0;
};

/// Pair `s` (0 to 7): the first four lie in the low six bits of bytes 0-3 and 4-7; the others have
/// their low nibbles in bytes 8-11 and their high bits on top of the first four.
inline KScale k_scale(const std::byte* scales, std::size_t s) {
  if (s < 4) return {load_u8(scales + s) & 63, load_u8(scales + s + 4) & 63};
  const std::uint32_t both = load_u8(scales + s + 4);
  return {(both & 15) | load_u8(scales + s - 4) >> 6 << 4,
          both >> 4 | load_u8(scales + s) >> 6 << 4};
}

}  // namespace cairn::tensor
