// Repetition: logit / penalty where it is positive, else logit * penalty, once per id in the last
// repetition_window tokens of prompt and answer.
// Source: Keskar et al. 2019, arXiv 1909.05858, section 4.1, in the form for signed logits; whose
// tokens count: vLLM, sampling parameters.
// Presence and frequency: logit -= presence + frequency * count, over the last answer_window tokens
// of the answer alone. Source: OpenAI API reference, "Frequency and presence penalties".
#include "engine/sampling/stages.h"

namespace cairn::engine {
namespace {

void penalise_repetition(Draft& draft, const StageInput& input) {
  const auto penalty = static_cast<float>(input.params.repetition_penalty);
  for (const TokenCount& each : input.history.window().counts()) {
    if (each.count == 0) continue;
    draft.change(each.id,
                 [&](float logit) { return logit > 0 ? logit / penalty : logit * penalty; });
  }
}

void penalise_answer(Draft& draft, const StageInput& input) {
  for (const TokenCount& each : input.history.answer().counts()) {
    if (each.count == 0) continue;
    const double taken = input.params.presence_penalty +
                         input.params.frequency_penalty * static_cast<double>(each.count);
    draft.change(each.id, [&](float logit) { return logit - static_cast<float>(taken); });
  }
}

}  // namespace

bool has_penalties(const SamplingParams& params) {
  return penalises_repetition(params) || penalises_answer(params);
}

void apply_penalties(Draft& draft, const StageInput& input) {
  if (penalises_repetition(input.params)) penalise_repetition(draft, input);
  if (penalises_answer(input.params)) penalise_answer(draft, input);
}

}  // namespace cairn::engine
