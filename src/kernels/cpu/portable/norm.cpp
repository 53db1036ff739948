// Lane i mod 16 chains fma over its squares; mean = sum / n; y = x * (1 / sqrt(mean + eps)) *
// weight.
#include <cmath>

#include "kernels/cpu/portable/fma_lanes.h"
#include "kernels/cpu/portable/lanes.h"
#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {

void norm(std::span<const float> x, const Norm& norm, float* out) {
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= x.size(); i += kLanes) {
    const float* at = x.data() + i;
    const auto value = [at](std::size_t lane) { return at[lane]; };
    fma_lanes<kLanes>(lanes, value, value);
  }
  for (; i < x.size(); ++i) lanes[i % kLanes] = math::fma32(x[i], x[i], lanes[i % kLanes]);
  const float mean = merge_lanes(lanes) / static_cast<float>(x.size());
  const float scale = 1.0F / std::sqrt(mean + norm.eps);
  for (std::size_t c = 0; c < x.size(); ++c) out[c] = x[c] * scale * norm.weight[c];
}

}  // namespace cairn::kernels::portable
