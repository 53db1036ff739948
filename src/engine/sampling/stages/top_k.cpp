// Keeps the k best. Source: Fan et al. 2018, arXiv 1805.04833, section 5.4.
#include <algorithm>

#include "engine/sampling/stages.h"

namespace cairn::engine {

bool has_top_k(const SamplingParams& params) { return has_temperature(params) && params.top_k > 0; }

void keep_top_k(Draft& draft, const StageInput& input) {
  const auto count = static_cast<std::size_t>(std::max(input.params.top_k, input.params.min_keep));
  draft.narrow(count);
  draft.keep_first(count, comes_before);
}

}  // namespace cairn::engine
