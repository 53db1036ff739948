// Norms, activations and rotation as docs/numerics.md and kernels/ops.h define them.
#include "base/math_fused.h"
#include "tests/conformance/definition.h"

namespace cairn::conformance {

std::vector<float> norm_row(std::span<const float> x, std::span<const float> weight, float eps) {
  float lanes[16] = {};
  for (std::size_t i = 0; i < x.size(); ++i) lanes[i % 16] = std::fma(x[i], x[i], lanes[i % 16]);
  float eights[8];
  for (int i = 0; i < 8; ++i) eights[i] = lanes[i] + lanes[i + 8];
  float fours[4];
  for (int i = 0; i < 4; ++i) fours[i] = eights[i] + eights[i + 4];
  const float sum = (fours[0] + fours[2]) + (fours[1] + fours[3]);
  const float scale = 1 / std::sqrt(sum / static_cast<float>(x.size()) + eps);
  std::vector<float> out;
  for (std::size_t i = 0; i < x.size(); ++i) out.push_back(x[i] * scale * weight[i]);
  return out;
}

/// x times the logistic function of x, or of twice what tanh-GELU puts into tanh.
float activate(kernels::Activation activation, float x) {
  if (activation == kernels::Activation::kReluSquared) return x < 0 ? 0 : x * x;
  float slope = x;
  if (activation == kernels::Activation::kGeluTanh) {
    const float root = static_cast<float>(2 * std::sqrt(2 / 3.14159265358979323846));
    slope = root * (x * (1 + 0.044715F * (x * x)));
  }
  return x / (1 + math::fused_exp(-slope));
}

float soft_cap(float x, float cap) { return cap * math::fused_tanh(x / cap); }

std::vector<float> rotate_row(std::span<const float> head, std::span<const float> inverse_frequency,
                              std::uint32_t position, kernels::RopePairs pairs) {
  std::vector<float> out(head.begin(), head.end());
  const std::size_t half = inverse_frequency.size();
  for (std::size_t i = 0; i < half; ++i) {
    const std::size_t a = pairs == kernels::RopePairs::kHalves ? i : 2 * i;
    const std::size_t b = pairs == kernels::RopePairs::kHalves ? i + half : 2 * i + 1;
    const float angle = static_cast<float>(position) * inverse_frequency[i];
    out[a] = head[a] * math::cos(angle) - head[b] * math::sin(angle);
    out[b] = head[a] * math::sin(angle) + head[b] * math::cos(angle);
  }
  return out;
}

}  // namespace cairn::conformance
