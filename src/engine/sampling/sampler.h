// Sampler: one sequence's way from logits to the next id.
//
// Purpose     bans, stages, the draw, and what all of them remember of the answer.
// Invariants  the id depends on params, prompt, answer, choice and position alone; random numbers
//             are functions of (seed, choice, position), each stage with a key of its own.
// Threads     one at a time; samplers of different sequences are independent.
// Adding      a stage: stages.h; a ban: filter.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/sampling/distribution.h"
#include "engine/sampling/filter.h"
#include "engine/sampling/history.h"
#include "engine/sampling/mirostat.h"
#include "engine/sampling/near_ties.h"
#include "engine/sampling/params.h"
#include "engine/sampling/repeats.h"
#include "engine/sampling/repetition_stop.h"
#include "engine/sampling/stages.h"
#include "engine/sampling/token_bytes.h"
#include "engine/sampling/weights.h"
#include "kernels/ops.h"

namespace cairn::engine {

/// What choose() leaves in the logits: anything, or the distribution that was drawn from, an id
/// that was out as -infinity.
enum class Left : std::uint8_t { kAnything, kProcessed };

/// Whose answer it is.
struct SamplerSetup {
  std::uint64_t choice = 0;  // a key of the random numbers, below 2^56
  std::size_t vocabulary = 0;
  const TokenBytes* bytes = nullptr;       // outlives the sampler; banned words and formats need it
  std::span<const TokenId> stop_ids = {};  // for tokens_min and formats
  Left left = Left::kAnything;
};

/// Why a sampler wants an answer to end.
enum class SamplerStop : std::uint8_t { kRepetition, kComplete };

class Sampler {
 public:
  /// `params` passed check(); all memory that sampling usually needs is taken here.
  Sampler(const SamplingParams& params, const SamplerSetup& setup);

  /// The same where nothing but `choice` and `vocabulary` is known of whose answer it is.
  Sampler(const SamplingParams& params, std::uint64_t choice, std::size_t vocabulary)
      : Sampler(params, SamplerSetup{.choice = choice, .vocabulary = vocabulary}) {}

  /// The prompt, for the penalties.
  void accept_prompt(std::span<const TokenId> prompt);

  /// Chooses the id at `position` of the sequence from `logits` [vocabulary], which are
  /// overwritten, and counts it. Errors: kInternal for non-finite logits; kInvalidArgument when
  /// bias, bans and masks leave no id, or a forced id breaks the answer's format.
  Result<TokenId> choose(std::span<float> logits, std::uint64_t position);

  /// How many of `ids`, guesses of what comes next, bans and masks let through; changes nothing.
  std::size_t may_follow(std::span<const TokenId> ids) { return filter_.may_follow(ids); }

  /// Whether an id depends on nothing but the two best logits: greedy, and nothing that moves or
  /// bans any. Then choose() may be handed these alone.
  bool needs_best_only() const { return best_only_; }
  Result<TokenId> choose(const kernels::BestTwo& best, std::uint64_t position);

  /// Why the answer has to end after the id that was chosen last.
  std::optional<SamplerStop> stop() const { return stop_; }
  const NearTies& near_ties() const { return near_ties_; }

 private:
  void run_stages(Draft& draft, std::uint64_t position);
  void note_gap(float gap);
  TokenId pick(Draft& draft, std::uint64_t position);
  Status accept(TokenId id);

  SamplingParams params_;
  SamplerSetup setup_;
  std::vector<const Stage*> stages_;  // the active ones in their order
  History history_;
  Repeats repeats_;
  Filter filter_;
  Mirostat mirostat_;
  RepetitionStop repetition_;
  bool best_only_ = false;
  Workspace space_;
  NearTies near_ties_;
  std::size_t tokens_ = 0;
  std::optional<SamplerStop> stop_;
};

}  // namespace cairn::engine
