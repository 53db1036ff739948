// Logits are divided by the temperature. The draft keeps it beside them and divides where it makes
// probabilities: what comes first stays first, so truncations need no pass over the vocabulary.
// Dynamic: T = low + (high - low) * (H / log n)^exponent with low and high the temperature less and
// plus dynatemp_range, at least 0; H the entropy at temperature 1 of the n ids that are in.
// Source: llama.cpp, "temp-ext" sampler; kalomaze, "Dynamic Temperature" (2023).
#include <algorithm>

#include "base/math.h"
#include "engine/sampling/stages.h"

namespace cairn::engine {

bool has_temperature(const SamplingParams& params) { return params.temperature > 0; }

void apply_temperature(Draft& draft, const StageInput& input) {
  const SamplingParams& params = input.params;
  if (params.dynatemp_range == 0) {
    draft.set_temperature(params.temperature);
    return;
  }
  const std::size_t count = draft.list().size();
  if (count < 2) return;
  const double spread = entropy(draft, draft.weigh()) / math::log64(static_cast<double>(count));
  const double low = std::max(0.0, params.temperature - params.dynatemp_range);
  const double high = params.temperature + params.dynatemp_range;
  const double power = math::pow64(std::clamp(spread, 0.0, 1.0), params.dynatemp_exponent);
  draft.set_temperature(low + (high - low) * power);
}

}  // namespace cairn::engine
