// Keeps the ids whose surprise -log p is nearest to the entropy: the fewest whose probability is at
// least typical_p of what is in; of equally near ones the likelier first, then the lower id.
// Source: Meister et al. 2022, arXiv 2202.00666, section 3 ("locally typical sampling").
#include <cmath>

#include "base/math.h"
#include "engine/sampling/stages.h"

namespace cairn::engine {

bool has_typical(const SamplingParams& params) {
  return has_temperature(params) && params.typical_p < 1;
}

void keep_typical(Draft& draft, const StageInput& input) {
  const std::uint64_t total = draft.weigh();
  const double center = entropy(draft, total);
  const double log_total = math::log64(static_cast<double>(total) / kWeightUnits);
  const double top = static_cast<double>(draft.top());
  const auto distance = [&](const Candidate& each) {
    const double x = (static_cast<double>(each.logit) - top) / draft.temperature();
    return std::abs(log_total - x - center);
  };
  const auto nearer = [&](const Candidate& a, const Candidate& b) {
    const double to_a = distance(a);
    const double to_b = distance(b);
    return to_a != to_b ? to_a < to_b : comes_before(a, b);
  };
  draft.keep_mass(input.params.typical_p * static_cast<double>(total),
                  static_cast<std::size_t>(input.params.min_keep), nearer);
}

}  // namespace cairn::engine
