// math_fused: exp and tanh in steps of f32, most of them fused multiply-adds: what kernels compute
// a vector at a time (kernels/cpu/lanes/math.h takes the same steps, so it gives the same bits).
//
// Purpose     a third of the work of math.h's exp, for the softmax of attention and for
// activations. Invariants  each step is rounded once, to nearest; special values as C (annex F)
// says, but for
//             results that exp cuts off.
// Accuracy    measured by math_fused_test.cpp, which asserts it; see each function.
// Threads     pure functions.
// Source      own; coefficients fitted by math_coefficients.py.
#pragma once

#include <bit>
#include <cstdint>

#include "base/math.h"

namespace cairn::math {

/// e^x = 2^k (1 + r + r^2 q(r)), where x = k log 2 + r.
struct FusedExp {
  static constexpr float kMost = 89.0F;    // past the largest f32
  static constexpr float kLeast = -86.0F;  // below it, 2^k would not be a normal number
  static constexpr float kLog2E = 0x1.715476p+0F;
  static constexpr float kLn2High = 0x1.62e4p-1F;  // 15 bits: times k it is exact
  static constexpr float kLn2Low = 0x1.7f7d1cp-20F;
  /// Adding and taking away 1.5 * 2^23 rounds to the nearest integer, which then stands in the low
  /// bits of the sum.
  static constexpr float kRoundToInteger = 0x1.8p23F;
  /// q, highest power first.
  static constexpr float kSeries[] = {0x1.6d1109p-10F, 0x1.120b6ep-7F, 0x1.555519p-5F,
                                      0x1.5554dcp-3F, 0x1p-1F};
};

/// tanh z = z + z^3 q(z^2) up to kSmall, 1 - 2 / (e^2z + 1) from there on.
struct FusedTanh {
  static constexpr float kSmall = 0.5F;
  /// q, highest power first.
  static constexpr float kSeries[] = {-0x1.c7007ep-8F, 0x1.5fc646p-6F, -0x1.b9d2aap-5F,
                                      0x1.111080p-3F, -0x1.555554p-2F};
};

/// e^x. Accuracy: 1.05 ulp. 0 where x is below -86.
inline float fused_exp(float x) {
  using C = FusedExp;
  const float bounded = x > C::kMost ? C::kMost : x;  // NaN passes
  const float rounded = fma32(bounded, C::kLog2E, C::kRoundToInteger);
  const float k = rounded - C::kRoundToInteger;
  const float high = fma32(k, -C::kLn2High, bounded);
  const float r = fma32(k, -C::kLn2Low, high);
  float q = C::kSeries[0];
  for (int i = 1; i < 5; ++i) q = fma32(q, r, C::kSeries[i]);
  const float value = 1.0F + fma32(r * r, q, r);
  // 2^k itself is no f32 where k is 128.
  const std::uint32_t half_power = (std::bit_cast<std::uint32_t>(rounded) << 23) + (126U << 23);
  const float result = (value + value) * std::bit_cast<float>(half_power);
  return x < C::kLeast ? 0.0F : result;
}

/// Hyperbolic tangent. Accuracy: 2 ulp.
inline float fused_tanh(float x) {
  using C = FusedTanh;
  const std::uint32_t sign = std::bit_cast<std::uint32_t>(x) & 0x80000000U;
  const auto z = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ sign);
  const float t = z * z;
  float q = C::kSeries[0];
  for (int i = 1; i < 5; ++i) q = fma32(q, t, C::kSeries[i]);
  const float small = fma32(z * t, q, z);
  const float large = 1.0F - 2.0F / (fused_exp(z + z) + 1.0F);
  const float result = z < C::kSmall ? small : large;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(result) | sign);
}

}  // namespace cairn::math
