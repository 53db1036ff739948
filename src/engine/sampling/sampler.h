// Sampler: one sequence's way from logits to the next id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/request.h"
#include "engine/sampling/history.h"
#include "engine/sampling/params.h"
#include "engine/sampling/stages.h"

namespace cairn::engine {

class Sampler {
 public:
  /// `params` passed check(); `choice` is a key of the random numbers; all memory that sampling
  /// needs is taken here.
  Sampler(const SamplingParams& params, std::uint64_t choice, std::size_t vocabulary);

  /// The prompt, for the penalties.
  void accept_prompt(std::span<const TokenId> prompt) { history_.accept_prompt(prompt); }

  /// Chooses the id at `position` of the sequence from `logits` [vocabulary], which are
  /// overwritten, and counts it. Errors: kInternal for non-finite logits; kInvalidArgument when the
  /// bias bans every id.
  Result<TokenId> choose(std::span<float> logits, std::uint64_t position);

 private:
  Result<TokenId> draw(std::span<const float> logits, std::uint64_t position);

  SamplingParams params_;
  std::uint64_t choice_ = 0;
  History history_;
  std::vector<Candidate> scratch_;
  std::vector<double> chunk_weights_;
};

/// A model's own distribution of one token, read before a sampler overwrites the logits:
/// logprob = logit - highest - log(sum of exp(logit - highest)).
class Distribution {
 public:
  /// Takes all memory it needs; 0 for one that is never read.
  explicit Distribution(std::size_t vocabulary);

  /// Reads `logits` [vocabulary], all finite, and finds the best `count`.
  void read(std::span<const float> logits, std::size_t count);
  float logprob(TokenId id) const;
  /// The best, likeliest first, ties to the lowest id.
  std::vector<TokenLogprob> top() const;

 private:
  double log_sum_ = 0;  // with the highest logit added
  std::vector<float> logits_;
  std::vector<Candidate> best_;
};

/// Whether every logit is a finite number.
bool all_finite(std::span<const float> logits);

}  // namespace cairn::engine
