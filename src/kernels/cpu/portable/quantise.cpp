// Activations in blocks of 32 or 256: d = amax / 127, q = nearest-even(x * (127 / amax)).
#include <cmath>
#include <limits>

#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {
namespace {

/// Below it 127 / amax is not finite.
constexpr float kSmallestAmax = 0x1p-121F;

/// Adding and taking away 1.5 * 2^23 rounds to the nearest integer, ties to even.
constexpr float kRound = 0x1.8p23F;

/// The largest magnitude, or NaN when a value is not finite.
float amax_of(const float* x, std::size_t count) {
  std::uint32_t largest = 0;  // magnitudes of f32 are ordered as their bits are
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x[i]) & 0x7FFFFFFFU;
    largest = bits > largest ? bits : largest;
  }
  if (largest >= 0x7F800000U) return std::numeric_limits<float>::quiet_NaN();
  return std::bit_cast<float>(largest);
}

float quantise_block(const float* x, std::size_t count, std::int8_t* q) {
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

}  // namespace

void quantise(std::span<const float> x, const Quantised& out, std::size_t t) {
  std::int8_t* q = out.q_row(t);
  for (std::size_t b = 0; b < x.size() / out.block; ++b) {
    const std::size_t at = b * out.block;
    out.d_row(t)[b] = quantise_block(x.data() + at, out.block, q + at);
  }
  for (std::size_t s = 0; s < x.size() / 16; ++s) {
    int sum = 0;
    for (std::size_t i = 0; i < 16; ++i) sum += q[16 * s + i];
    out.sums_row(t)[s] = static_cast<std::int16_t>(sum);
  }
  for (std::size_t s = 0; s < x.size() / 32; ++s) {
    out.sums32_row(t)[s] = out.sums_row(t)[2 * s] + out.sums_row(t)[2 * s + 1];
  }
}

}  // namespace cairn::kernels::portable
