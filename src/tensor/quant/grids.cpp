#include "tensor/quant/grids.h"

#include <bit>

namespace cairn::tensor {

std::uint32_t signs_of(std::uint32_t seven) {
  return seven | static_cast<std::uint32_t>(std::popcount(seven) & 1) << 7;
}

void expand_iq2(std::uint32_t entry, std::uint32_t signs, float scale, float* out) {
  for (std::size_t i = 0; i < 8; ++i) {
    const float value = scale * static_cast<float>(kIq2Values[entry >> (2 * i) & 3]);
    out[i] = (signs >> i & 1) != 0 ? -value : value;
  }
}

void expand_iq3(std::uint32_t entry, const std::array<std::uint8_t, 8>& values, SignedScale by,
                float* out) {
  for (std::size_t i = 0; i < 4; ++i) {
    const float value = by.scale * static_cast<float>(values[entry >> (4 * i) & 7]);
    out[i] = (by.signs >> i & 1) != 0 ? -value : value;
  }
}

void expand_iq1(std::uint32_t entry, float delta, float scale, float* out) {
  for (std::size_t i = 0; i < 8; ++i) {
    const auto digit = static_cast<std::int32_t>(entry >> (2 * i) & 3);
    out[i] = scale * (static_cast<float>(digit - 1) + delta);
  }
}

}  // namespace cairn::tensor
