// The sixteen values that a four-bit float (E2M1) stands for, doubled so that they are integers.
#pragma once

#include <array>
#include <cstdint>

namespace cairn::tensor {

/// Source: OCP Microscaling Formats specification 1.0, section 5.3.3; times two.
inline constexpr std::array<std::int8_t, 16> kFp4DoubledValues = {0, 1,  2,  3,  4,  6,  8,  12,
                                                                  0, -1, -2, -3, -4, -6, -8, -12};

}  // namespace cairn::tensor
