// Activations, soft caps and rotation angles, in f32 steps in the order written.
#include "base/math_fused.h"
#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {
namespace {

float silu(float x) { return x / (1.0F + math::fused_exp(-x)); }

/// x / 2 (1 + tanh u) = x / (1 + e^-2u) with u = sqrt(2 / pi) (x + 0.044715 x^3).
/// Source: Hendrycks and Gimpel 2016, arXiv 1606.08415, section 2 (tanh approximation).
float gelu_tanh(float x) {
  constexpr float kTwiceSqrtTwoOverPi = 0x1.988454p+0F;
  const float slope = kTwiceSqrtTwoOverPi * (x * (1.0F + 0.044715F * (x * x)));
  return x / (1.0F + math::fused_exp(-slope));
}

/// Source: So et al. 2021, arXiv 2109.08668, section 4.
float relu_squared(float x) {
  const float positive = 0.0F > x ? 0.0F : x;
  return positive * positive;
}

float activated(Activation activation, float x) {
  switch (activation) {
    case Activation::kSilu:
      return silu(x);
    case Activation::kGeluTanh:
      return gelu_tanh(x);
    case Activation::kReluSquared:
      return relu_squared(x);
  }
  return x;
}

}  // namespace

void gate(Activation activation, std::span<const float> gate, const float* up, float* out) {
  for (std::size_t i = 0; i < gate.size(); ++i) out[i] = activated(activation, gate[i]) * up[i];
}

float soft_cap(float x, float cap) { return cap * math::fused_tanh(x / cap); }

void angles(const Rope& rope, std::uint32_t position, float* cosines, float* sines) {
  for (std::size_t i = 0; i < rope.dims / 2; ++i) {
    const float angle = static_cast<float>(position) * rope.inverse_frequency[i];
    cosines[i] = math::cos(angle) * rope.magnitude;
    sines[i] = math::sin(angle) * rope.magnitude;
  }
}

}  // namespace cairn::kernels::portable
