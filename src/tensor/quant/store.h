// What the block encoders share.
#pragma once

#include <bit>
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

/// The 32 numbers of five bits that `number(i)` gives: their fifth bits, then nibbles i and i + 16
/// together.
template <typename Number>
void store_fives(std::byte* at, const Number& number) {
  std::uint32_t fifth = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint32_t first = number(i);
    const std::uint32_t second = number(i + 16);
    fifth |= first >> 4 << i | second >> 4 << (i + 16);
    at[4 + i] = static_cast<std::byte>((first & 15) | (second & 15) << 4);
  }
  store_u16(at, static_cast<std::uint16_t>(fifth & 0xFFFF));
  store_u16(at + 2, static_cast<std::uint16_t>(fifth >> 16));
}

/// The nearest integer, ties to even, of numbers below 2^22; the low bits of others.
inline std::int32_t nearest_integer(float value) {
  // Adding 1.5 * 2^23 leaves the integer in the low bits, with 2^22 added.
  const auto bits = std::bit_cast<std::uint32_t>(value + 12582912.0f);
  return static_cast<std::int32_t>(bits & 0x007FFFFF) - 0x00400000;
}

}  // namespace cairn::tensor
