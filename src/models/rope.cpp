#include "models/rope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "base/math.h"

namespace cairn::models {
namespace {

double scale_by_band(double frequency, const RopeBands& bands) {
  const double turns = bands.original_context * frequency / (2 * std::numbers::pi);
  if (turns > bands.high_frequency_factor) return frequency;
  if (turns < bands.low_frequency_factor) return frequency / bands.factor;
  const double smooth = (turns - bands.low_frequency_factor) /
                        (bands.high_frequency_factor - bands.low_frequency_factor);
  return (1 - smooth) * frequency / bands.factor + smooth * frequency;
}

/// The dimension that turns `turns` times in the original context, not rounded.
double dimension_of(double turns, const RopeSpec& spec) {
  const double ratio = spec.yarn->original_context / (turns * 2 * std::numbers::pi);
  return static_cast<double>(spec.dims) * math::log64(ratio) / (2 * math::log64(spec.base));
}

double scale_by_yarn(double frequency, std::size_t pair, const RopeSpec& spec) {
  const double last = static_cast<double>(spec.dims) - 1;
  const double low = std::max(std::floor(dimension_of(spec.yarn->fast, spec)), 0.0);
  const double high = std::min(std::ceil(dimension_of(spec.yarn->slow, spec)), last);
  const double width = low == high ? 0.001 : high - low;
  const double ramp = std::clamp((static_cast<double>(pair) - low) / width, 0.0, 1.0);
  return frequency / spec.yarn->factor * ramp + frequency * (1 - ramp);
}

}  // namespace

std::vector<float> inverse_frequencies(const RopeSpec& spec, std::span<const float> factors) {
  CAIRN_CHECK(factors.empty() || factors.size() == spec.dims / 2);
  std::vector<float> frequencies(spec.dims / 2);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(spec.dims);
    double frequency = math::pow64(spec.base, exponent) / spec.linear_factor;
    if (spec.yarn) frequency = scale_by_yarn(frequency, i, spec);
    if (spec.bands) frequency = scale_by_band(frequency, *spec.bands);
    if (!factors.empty()) frequency /= static_cast<double>(factors[i]);
    frequencies[i] = static_cast<float>(frequency);
  }
  return frequencies;
}

}  // namespace cairn::models
