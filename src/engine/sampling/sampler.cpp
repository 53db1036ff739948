#include "engine/sampling/sampler.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "engine/sampling/draw.h"

namespace cairn::engine {
namespace {

std::vector<const Stage*> active_stages(const SamplingParams& params) {
  std::vector<const Stage*> result;
  const auto add = [&](const Stage& stage) {
    if (stage.active(params)) result.push_back(&stage);
  };
  if (params.order.empty()) {
    for (const Stage& stage : stages()) add(stage);
  }
  for (const std::string& name : params.order) add(*find_stage(name));
  return result;
}

/// Whether nothing bans an id or moves a logit.
bool leaves_logits_alone(const SamplingParams& params) {
  return params.bias.empty() && params.allowed_ids.empty() && params.banned_words.empty() &&
         params.tokens_min == 0 && params.forced_ids.empty() && !params.mask &&
         params.grammar == nullptr && params.format == AnswerFormat::kText;
}

/// Whether the largest logit is chosen whatever the others are. Truncations keep it, but for XTC.
bool takes_the_largest(const SamplingParams& params, std::span<const Stage* const> stages) {
  if (params.temperature != 0 || params.dynatemp_range > 0 || params.mirostat != 0) return false;
  return std::ranges::all_of(stages, [](const Stage* stage) {
    const bool truncates = stage->kind == StageKind::kTruncation;
    return stage->apply == &apply_temperature ||
           (truncates && stage->apply != &exclude_top_choices);
  });
}

/// How many ids the stages' list usually has: few when the first truncation keeps few.
std::size_t usual_candidates(std::span<const Stage* const> stages, const SamplingParams& params,
                             std::size_t vocabulary) {
  constexpr std::size_t kSpare = 64;  // ids that narrow() brings beside the best
  if (params.mirostat != 0 || params.dynatemp_range > 0) return vocabulary;
  for (const Stage* stage : stages) {
    if (stage->kind != StageKind::kTruncation) continue;
    if (stage->apply != &keep_top_k) return vocabulary;
    const auto kept = static_cast<std::uint64_t>(params.top_k);
    return kept < blocks_of(vocabulary) ? static_cast<std::size_t>(kept) + kSpare : vocabulary;
  }
  return 0;
}

/// Writes what was drawn from into the row.
void leave_processed(Draft& draft) {
  const auto scaled = [&, top = static_cast<double>(draft.top())](float logit) {
    return static_cast<float>((static_cast<double>(logit) - top) / draft.temperature());
  };
  const std::span<float> row = draft.logits();
  if (!draft.listed()) {
    for (float& logit : row) {
      if (logit != kOut) logit = scaled(logit);
    }
    return;
  }
  std::ranges::fill(row, kOut);
  for (const Candidate& each : draft.list()) {
    row[static_cast<std::size_t>(each.id)] = scaled(each.logit);
  }
}

float gap_of(Draft& draft) {
  const auto [first, second] = draft.top_two();
  return first - second;
}

Status not_finite(std::uint64_t position) {
  return internal_error(fmt::format("non-finite logits at position {}", position));
}

}  // namespace

Sampler::Sampler(const SamplingParams& params, const SamplerSetup& setup)
    : params_(params),
      setup_(setup),
      stages_(active_stages(params)),
      history_(params, setup.vocabulary),
      repeats_(params, setup.bytes),
      filter_(params, setup.vocabulary, setup.bytes, setup.stop_ids),
      mirostat_(params, setup.vocabulary),
      repetition_(params),
      best_only_(setup.left == Left::kAnything && leaves_logits_alone(params) &&
                 takes_the_largest(params, stages_)) {
  const std::size_t usual = usual_candidates(stages_, params, setup.vocabulary);
  space_.candidates.reserve(usual);
  space_.scratch.reserve(usual);
  space_.maxima.resize(blocks_of(setup.vocabulary));
  space_.blocks.reserve(space_.maxima.size());
  space_.sums.resize((setup.vocabulary + kSumChunk - 1) / kSumChunk);
  setup_.stop_ids = {};  // the filter has its own copy
}

void Sampler::accept_prompt(std::span<const TokenId> prompt) {
  history_.accept_prompt(prompt);
  for (const TokenId id : prompt) repeats_.accept(id);
}

Result<TokenId> Sampler::choose(std::span<float> logits, std::uint64_t position) {
  Draft draft(logits, space_);
  if (!draft.finite()) return not_finite(position);
  const TokenId own_best = draft.best();
  add_bias(draft, params_);
  filter_.apply(draft);
  if (draft.top() == kOut) {
    return invalid_argument(
        fmt::format("bias, bans and masks leave no id at position {}", position));
  }
  run_stages(draft, position);
  if (draft.best() != own_best) ++near_ties_.steered;
  const TokenId id = pick(draft, position);
  if (setup_.left == Left::kProcessed) leave_processed(draft);
  CAIRN_TRY(accept(id));
  return id;
}

Result<TokenId> Sampler::choose(const kernels::BestTwo& best, std::uint64_t position) {
  CAIRN_CHECK(best_only_);
  if (best.finite == 0) return not_finite(position);
  note_gap(best.first - best.second);
  CAIRN_TRY(accept(best.id));
  return best.id;
}

void Sampler::run_stages(Draft& draft, std::uint64_t position) {
  const StageInput input{.params = params_,
                         .history = history_,
                         .repeats = repeats_,
                         .choice = setup_.choice,
                         .position = position};
  bool noted = false;
  for (const Stage* stage : stages_) {
    if (!noted && stage->kind == StageKind::kTruncation) {
      note_gap(gap_of(draft));
      noted = true;
    }
    stage->apply(draft, input);
  }
  if (!noted) note_gap(gap_of(draft));
  if (mirostat_.active()) mirostat_.cut(draft);
}

void Sampler::note_gap(float gap) {
  near_ties_.gap_min = std::min(near_ties_.gap_min, gap);
  if (gap < NearTies::kClose) ++near_ties_.close;
}

TokenId Sampler::pick(Draft& draft, std::uint64_t position) {
  if (tokens_ < params_.forced_ids.size()) {
    const TokenId id = params_.forced_ids[tokens_];
    if (mirostat_.active()) {
      const double probability = probability_of(draft, id);
      if (probability > 0) mirostat_.learn(probability);
    }
    return id;
  }
  if (params_.temperature == 0) return draft.best();
  const double unit = random_unit(params_.seed, setup_.choice, position);
  const Drawn drawn = draw(draft, unit, space_.sums);
  if (mirostat_.active()) mirostat_.learn(drawn.probability);
  return drawn.id;
}

Status Sampler::accept(TokenId id) {
  ++tokens_;
  history_.accept_generated(id);
  repeats_.accept(id);
  CAIRN_TRY(filter_.accept(id));
  if (repetition_.accept(id)) stop_ = SamplerStop::kRepetition;
  if (filter_.must_end()) stop_ = SamplerStop::kComplete;
  return {};
}

}  // namespace cairn::engine
