// fma_lanes: many independent fused multiply-adds, fast where the CPU has no such instruction.
//
// The product of two f32 is exact in f64. Its sum with the third, rounded to f64 and then to f32,
// is the fma's result unless the f64 stands exactly between two f32 (then the first rounding may
// have hidden on which side the true value lies), or below the normal f32 (whose ties lie
// elsewhere). Both are rare, are seen in the bits of the sum, and go the slow way: math::fma32.
// Every AArch64 processor has the instruction, so that there the compiler is asked for it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/math.h"

namespace cairn::kernels::portable {

/// acc[i] = fma(a(i), b(i), acc[i]) for i < kCount.
template <std::size_t kCount, class A, class B>
inline void fma_lanes(float* acc, A a, B b) {
#if defined(__aarch64__)
  for (std::size_t i = 0; i < kCount; ++i) acc[i] = __builtin_fmaf(a(i), b(i), acc[i]);
#else
  double sums[kCount];
  std::uint32_t odd = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    sums[i] = static_cast<double>(a(i)) * static_cast<double>(b(i)) + static_cast<double>(acc[i]);
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto low = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(sums[i]));
    const auto high = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(sums[i]) >> 32);
    const bool tie = (low & 0x1FFFFFFFU) == 0x10000000U;
    // Biased exponents below 897 (2^-126); zero itself is exact.
    const bool tiny = ((high & 0x7FFFFFFFU) - 1U) < (897U << 20) - 1U;
    odd |= static_cast<std::uint32_t>(tie) | static_cast<std::uint32_t>(tiny);
  }
  if (odd == 0) [[likely]] {
    for (std::size_t i = 0; i < kCount; ++i) acc[i] = static_cast<float>(sums[i]);
    return;
  }
  for (std::size_t i = 0; i < kCount; ++i) acc[i] = math::fma32(a(i), b(i), acc[i]);
#endif
}

}  // namespace cairn::kernels::portable
