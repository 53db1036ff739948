// norm_row: norms of every kind over a tier's RMS norm.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/cpu/kernels.h"

namespace cairn::kernels {

/// out = x - mean(x); out may be x. The mean: sixteen partial sums in f64 by index mod 16, added
/// ascending, so that every tier has the same.
inline void centre(std::span<const float> x, float* out) {
  constexpr std::size_t kSums = 16;
  double sums[kSums] = {};
  for (std::size_t i = 0; i < x.size(); ++i) sums[i % kSums] += static_cast<double>(x[i]);
  double sum = 0;
  for (const double part : sums) sum += part;
  const auto mean = static_cast<float>(sum / static_cast<double>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] - mean;
}

/// out = norm(x), as ops.h has it; out may be x.
inline void norm_row(const Kernels& kernels, std::span<const float> x, const Norm& norm,
                     float* out) {
  if (!norm.centred) return kernels.norm(x, norm, out);
  centre(x, out);
  kernels.norm({out, x.size()}, norm, out);
  if (norm.bias == nullptr) return;
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = out[i] + norm.bias[i];
}

}  // namespace cairn::kernels
