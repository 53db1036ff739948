// XTC, "exclude top choices": with xtc_probability, every id of probability xtc_threshold or more
// is taken out but the least likely of them; of equal ones the lowest id is the likeliest. Less
// than min_keep ids are never left. The chance has a key of its own, so the draw of the token is
// the same number whether this stage is on or not.
// Source: p-e-w, text-generation-webui pull request 6335.
#include "base/random.h"
#include "engine/sampling/stages.h"

namespace cairn::engine {
namespace {

// Choices, the other half of the key, are far below this.
constexpr std::uint64_t kKey = std::uint64_t{1} << 56;

}  // namespace

bool has_xtc(const SamplingParams& params) {
  return has_temperature(params) && params.xtc_probability > 0 && params.xtc_threshold <= 0.5;
}

void exclude_top_choices(Draft& draft, const StageInput& input) {
  const SamplingParams& params = input.params;
  const double chance = random_unit(params.seed, input.choice + kKey, input.position);
  if (chance >= params.xtc_probability) return;
  const double bound = params.xtc_threshold * static_cast<double>(draft.weigh());
  const auto likely = [&](const Candidate& each) {
    return static_cast<double>(each.weight) >= bound;
  };
  const std::span<Candidate> all = draft.list();
  const Candidate* last = nullptr;
  std::size_t count = 0;
  for (const Candidate& each : all) {
    if (!likely(each)) continue;
    ++count;
    if (last == nullptr || comes_before(*last, each)) last = &each;
  }
  if (count < 2 || all.size() - count + 1 < static_cast<std::size_t>(params.min_keep)) return;
  const Candidate kept = *last;
  draft.keep_if([&](const Candidate& each) { return each.id == kept.id || !likely(each); });
}

}  // namespace cairn::engine
