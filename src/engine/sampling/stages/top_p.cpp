// Keeps the smallest set of best tokens whose probability is at least top_p of what is in.
// Source: Holtzman et al. 2019, arXiv 1904.09751, section 3.1.
#include "engine/sampling/stages.h"

namespace cairn::engine {

bool has_top_p(const SamplingParams& params) { return has_temperature(params) && params.top_p < 1; }

void keep_top_p(Draft& draft, const StageInput& input) {
  const std::uint64_t total = draft.weigh();
  draft.keep_mass(input.params.top_p * static_cast<double>(total),
                  static_cast<std::size_t>(input.params.min_keep), comes_before);
}

}  // namespace cairn::engine
