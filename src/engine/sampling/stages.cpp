#include "engine/sampling/stages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/math.h"

namespace cairn::engine {
namespace {

constexpr StageKind kLogits = StageKind::kLogits;
constexpr StageKind kTruncation = StageKind::kTruncation;

constexpr Stage kStages[] = {
    {"penalties", kLogits, has_penalties, apply_penalties},
    {"dry", kLogits, has_dry, apply_dry},
    {"temperature", kLogits, has_temperature, apply_temperature},
    {"top_n_sigma", kTruncation, has_top_n_sigma, keep_top_n_sigma},
    {"top_k", kTruncation, has_top_k, keep_top_k},
    {"typical_p", kTruncation, has_typical, keep_typical},
    {"top_p", kTruncation, has_top_p, keep_top_p},
    {"min_p", kTruncation, has_min_p, keep_min_p},
    {"xtc", kTruncation, has_xtc, exclude_top_choices},
};

}  // namespace

std::span<const Stage> stages() { return kStages; }

const Stage* find_stage(std::string_view name) {
  const auto* row = std::ranges::find(kStages, name, &Stage::name);
  return row == std::end(kStages) ? nullptr : row;
}

std::string stage_names() {
  std::vector<std::string_view> names;
  for (const Stage& stage : kStages) names.push_back(stage.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_bias(Draft& draft, const SamplingParams& params) {
  for (const LogitBias& entry : params.bias) {
    draft.change(entry.token, [&](float logit) { return logit + entry.bias; });
  }
}

double entropy(Draft& draft, std::uint64_t total) {
  // With p = w / W and w = exp(x): H = log W - sum of w x / W.
  const double top = static_cast<double>(draft.top());
  const double whole = static_cast<double>(total) / kWeightUnits;
  double sum = 0;
  for (const Candidate& each : draft.list()) {
    if (each.weight == 0) continue;  // p log p goes to 0 with p
    const double x = (static_cast<double>(each.logit) - top) / draft.temperature();
    sum += static_cast<double>(each.weight) / kWeightUnits * x;
  }
  return math::log64(whole) - sum / whole;
}

}  // namespace cairn::engine
