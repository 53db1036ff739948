// DRY, "don't repeat yourself": an id that would make a repetition of n tokens longer loses
// multiplier * base^(n - allowed_length), n being at least allowed_length. A repetition does not
// reach over a breaker, and an id whose bytes hold one is free.
// Source: p-e-w, text-generation-webui pull request 5677; windows and breakers as in llama.cpp's
// sampler of that name, but breakers are matched on bytes instead of on tokenizations.
#include "base/math.h"
#include "engine/sampling/stages.h"

namespace cairn::engine {
namespace {

// Far below any other logit, far from overflow.
constexpr double kPenaltyMax = 1e30;

}  // namespace

bool has_dry(const SamplingParams& params) {
  return params.dry_multiplier > 0 && params.dry_window != 0;
}

void apply_dry(Draft& draft, const StageInput& input) {
  const SamplingParams& params = input.params;
  for (const Repeat& repeat : input.repeats.find()) {
    const double beyond = static_cast<double>(repeat.length - params.dry_allowed_length);
    const double power = math::pow64(params.dry_base, beyond);
    const double penalty = std::min(params.dry_multiplier * power, kPenaltyMax);
    draft.change(repeat.id, [&](float logit) { return logit - static_cast<float>(penalty); });
  }
}

}  // namespace cairn::engine
