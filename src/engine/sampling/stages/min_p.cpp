// Keeps tokens at least min_p times as probable as the likeliest.
// Source: Nguyen et al. 2024, arXiv 2407.01082, section 3.
#include "base/math.h"
#include "engine/sampling/stages.h"

namespace cairn::engine {

bool has_min_p(const SamplingParams& params) { return has_temperature(params) && params.min_p > 0; }

void keep_min_p(Draft& draft, const StageInput& input) {
  const double share = input.params.min_p;
  const auto least = static_cast<std::size_t>(input.params.min_keep);
  // A logit that surely fails is passed over unread; which of the rest stay is said by share().
  const double distance = draft.temperature() * math::log64(share);
  const double wide = static_cast<double>(draft.top()) + distance * 1.001 - 1e-3;
  draft.keep_from(static_cast<float>(wide), least);
  const auto stays = [&](const Candidate& each) { return draft.share(each.logit) >= share; };
  if (least > 1) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(draft.list(), stays));
    draft.keep_first(std::max(count, least), comes_before);
    return;
  }
  draft.keep_if(stays);
}

}  // namespace cairn::engine
