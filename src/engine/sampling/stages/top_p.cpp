// Keeps the smallest set of best tokens whose probability is at least top_p of what is in.
// Source: Holtzman et al. 2019, arXiv 1904.09751, section 3.1.
#include <algorithm>

#include "engine/sampling/stages.h"

namespace cairn::engine {

namespace {

constexpr std::size_t kTried = 256;

}  // namespace

bool has_top_p(const SamplingParams& params) { return has_temperature(params) && params.top_p < 1; }

void keep_top_p(Draft& draft, const StageInput& input) {
  const auto least = static_cast<std::size_t>(input.params.min_keep);
  if (draft.listed()) {
    const std::uint64_t total = draft.weigh();
    draft.keep_mass(input.params.top_p * static_cast<double>(total), least, comes_before);
    return;
  }
  // Most often a few of the best reach it, and the rest of the vocabulary needs no list.
  const double wanted = input.params.top_p * static_cast<double>(draft.weigh_row());
  draft.narrow(std::max(kTried, least));
  if (static_cast<double>(draft.weigh()) < wanted) {
    draft.unlist();
    draft.weigh();
  }
  draft.keep_mass(wanted, least, comes_before);
}

}  // namespace cairn::engine
