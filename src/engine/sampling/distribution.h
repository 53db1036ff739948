// Distribution: log-probabilities of one token.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/token.h"
#include "engine/sampling/workspace.h"

namespace cairn::engine {

/// A token and the natural logarithm of its probability: in the model's own distribution, or in the
/// one that was drawn from, after bias, masks, penalties, temperature and truncation.
struct TokenLogprob {
  TokenId id = 0;
  float logprob = 0;  // -infinity for an id that was out
};

/// The distribution of one row of logits: read before a sampler overwrites them it is the model's
/// own, read after Sampler::choose with Left::kProcessed the one that was drawn from.
/// logprob = logit - highest - log(sum of exp(logit - highest)).
class Distribution {
 public:
  /// Takes all memory it needs; 0 for one that is never read.
  explicit Distribution(std::size_t vocabulary);

  /// Reads `logits` [vocabulary], finite or -infinity and one of them finite, and finds the best
  /// `count`.
  void read(std::span<const float> logits, std::size_t count);
  float logprob(TokenId id) const;
  /// 1 for the likeliest id, ties to the lowest. Cost: a pass over the vocabulary.
  std::size_t rank(TokenId id) const;
  /// The best, likeliest first, ties to the lowest id.
  std::vector<TokenLogprob> top() const;
  /// The given ids, in their order.
  std::vector<TokenLogprob> of(std::span<const TokenId> ids) const;

 private:
  double log_sum_ = 0;  // with the highest logit added
  std::vector<float> logits_;
  Workspace space_;
  std::vector<Candidate> best_;
};

}  // namespace cairn::engine
