#include "models/rope.h"

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

}  // namespace

std::vector<float> inverse_frequencies(const RopeSpec& spec, std::span<const float> factors) {
  CAIRN_CHECK(factors.empty() || factors.size() == spec.dims / 2);
  std::vector<float> frequencies(spec.dims / 2);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(spec.dims);
    double frequency = math::pow64(spec.base, exponent) / spec.linear_factor;
    if (spec.bands) frequency = scale_by_band(frequency, *spec.bands);
    if (!factors.empty()) frequency /= static_cast<double>(factors[i]);
    frequencies[i] = static_cast<float>(frequency);
  }
  return frequencies;
}

}  // namespace cairn::models
