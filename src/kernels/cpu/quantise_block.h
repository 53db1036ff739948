// quantise_block: the nearest codes of 8 bits with one scale, for activations and cached heads.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace cairn::kernels {

/// Below it 127 / amax is not finite.
inline constexpr float kSmallestAmax = 0x1p-121F;

/// The largest magnitude, or NaN when a value is not finite.
inline float amax_of(const float* x, std::size_t count) {
  std::uint32_t largest = 0;  // magnitudes of f32 are ordered as their bits are
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x[i]) & 0x7FFFFFFFU;
    largest = bits > largest ? bits : largest;
  }
  if (largest >= 0x7F800000U) return std::numeric_limits<float>::quiet_NaN();
  return std::bit_cast<float>(largest);
}

/// q = nearest-even(x * (127 / amax)), inside +-127; returns d = amax / 127. An amax below
/// kSmallestAmax gives d = 0 and q = 0, a value that is not finite d = NaN and q = 0.
inline float quantise_block(const float* x, std::size_t count, std::int8_t* q) {
  // Adding and taking away 1.5 * 2^23 rounds to the nearest integer, ties to even.
  constexpr float kRound = 0x1.8p23F;
  const float amax = amax_of(x, count);
  if (!(amax >= kSmallestAmax)) {
    for (std::size_t i = 0; i < count; ++i) q[i] = 0;
    return amax < kSmallestAmax ? 0.0F : amax;
  }
  const float inverse = 127.0F / amax;
  for (std::size_t i = 0; i < count; ++i) {
    const float rounded = (x[i] * inverse + kRound) - kRound;
    const float low = rounded < -127.0F ? -127.0F : rounded;
    q[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(low > 127.0F ? 127.0F : low));
  }
  return amax / 127.0F;
}

}  // namespace cairn::kernels
