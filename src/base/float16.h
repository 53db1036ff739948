// f16 (IEEE 754 binary16) and bf16 to f32 and back; to the nearest, ties to even; NaN stays NaN.
// Plain integer work, so that every machine gives the same bits and loops vectorise.
#pragma once

#include <bit>
#include <cstdint>

namespace cairn {

/// Exact. A signalling NaN keeps its payload.
inline float f16_to_f32(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16;
  const std::uint32_t rest = half & 0x7FFFU;
  if (rest >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | (rest & 0x3FFU) << 13);
  if (rest >= 0x0400U) return std::bit_cast<float>(sign | ((rest << 13) + (112U << 23)));
  // A subnormal is rest * 2^-24, and that product is exact in f32.
  const float value = static_cast<float>(rest) * 0x1p-24F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
}

/// Values past the largest f16 become infinite; a NaN keeps its high payload bits and turns quiet.
inline std::uint16_t f32_to_f16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  const std::uint32_t rest = bits & 0x7FFFFFFFU;
  std::uint32_t half = 0;
  if (rest > 0x7F800000U) {
    half = 0x7E00U | (rest >> 13 & 0x3FFU);
  } else if (rest >= 0x477FF000U) {  // 65520, half way from the largest f16 to 2^16
    half = 0x7C00U;
  } else if (rest >= 0x38800000U) {  // 2^-14, the smallest normal f16
    half = (rest - (112U << 23) + 0x0FFFU + (rest >> 13 & 1U)) >> 13;
  } else {
    // Adding 1/2 to a value below 2^-14 rounds it to a multiple of 2^-24 as f16 wants it.
    const float shifted = std::bit_cast<float>(rest) + 0.5F;
    half = std::bit_cast<std::uint32_t>(shifted) - 0x3F000000U;
  }
  return static_cast<std::uint16_t>(sign | half);
}

/// Exact.
inline float bf16_to_f32(std::uint16_t brain) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(brain) << 16);
}

/// A NaN keeps its high payload bits and turns quiet.
inline std::uint16_t f32_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

}  // namespace cairn
