// What the block encoders share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/float16.h"

namespace cairn::tensor {

/// Two bytes, low one first.
inline void store_u16(std::byte* at, std::uint16_t value) {
  at[0] = static_cast<std::byte>(value & 255);
  at[1] = static_cast<std::byte>(value >> 8);
}

/// `value` as the nearest f16.
inline void store_f16(std::byte* at, float value) { store_u16(at, f32_to_f16(value)); }

/// `value` without its fraction, inside [low, high]; `low` for NaN.
inline std::uint32_t truncate(float value, std::uint32_t low, std::uint32_t high) {
  if (!(value > static_cast<float>(low))) return low;
  return value < static_cast<float>(high) ? static_cast<std::uint32_t>(value) : high;
}

}  // namespace cairn::tensor
