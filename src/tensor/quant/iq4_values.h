// The sixteen values that a nibble of IQ4_NL and IQ4_XS stands for.
#pragma once

#include <array>
#include <cstdint>

namespace cairn::tensor {

/// Source: gguf-py quants.py, IQ4_NL.kvalues.
inline constexpr std::array<std::int8_t, 16> kIq4Values = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

}  // namespace cairn::tensor
