// The stages between a model's logits and the draw, as a table.
//
// Purpose     each stage changes a Draft: logits of ids, or which ids are in.
// Invariants  a stage that is not active changes nothing; at least one id stays in; nothing is
//             allocated once the workspace has its size.
// Threads     pure functions on one sequence's Draft.
// Adding      a knob in params.h with its range in params.cpp, a file in stages/, a row in
//             stages.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/sampling/draft.h"
#include "engine/sampling/history.h"
#include "engine/sampling/params.h"
#include "engine/sampling/repeats.h"

namespace cairn::engine {

/// What a stage knows beside the logits.
struct StageInput {
  const SamplingParams& params;
  const History& history;
  Repeats& repeats;
  std::uint64_t choice = 0;
  std::uint64_t position = 0;
};

/// What a stage does: change logits, or decide how many ids stay.
enum class StageKind : std::uint8_t { kLogits, kTruncation };

/// One row of the table.
struct Stage {
  std::string_view name;
  StageKind kind = StageKind::kLogits;
  bool (*active)(const SamplingParams& params) = nullptr;
  void (*apply)(Draft& draft, const StageInput& input) = nullptr;
};

/// In the order in which they run where SamplingParams::order names none.
std::span<const Stage> stages();

/// The stage of that name; nullptr for none.
const Stage* find_stage(std::string_view name);

/// "penalties, dry, ...", for messages.
std::string stage_names();

/// Adds SamplingParams::bias; runs before any stage. Source: OpenAI API reference, logit_bias.
void add_bias(Draft& draft, const SamplingParams& params);

// One file each in stages/, with the definition and its source.
bool has_penalties(const SamplingParams& params);
void apply_penalties(Draft& draft, const StageInput& input);
bool has_dry(const SamplingParams& params);
void apply_dry(Draft& draft, const StageInput& input);
bool has_temperature(const SamplingParams& params);
void apply_temperature(Draft& draft, const StageInput& input);
bool has_top_n_sigma(const SamplingParams& params);
void keep_top_n_sigma(Draft& draft, const StageInput& input);
bool has_top_k(const SamplingParams& params);
void keep_top_k(Draft& draft, const StageInput& input);
bool has_typical(const SamplingParams& params);
void keep_typical(Draft& draft, const StageInput& input);
bool has_top_p(const SamplingParams& params);
void keep_top_p(Draft& draft, const StageInput& input);
bool has_min_p(const SamplingParams& params);
void keep_min_p(Draft& draft, const StageInput& input);
bool has_xtc(const SamplingParams& params);
void exclude_top_choices(Draft& draft, const StageInput& input);

/// Entropy in nats of what is in, with the weights that weigh() set just before, of sum `total`.
double entropy(Draft& draft, std::uint64_t total);

}  // namespace cairn::engine
