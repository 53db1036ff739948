// PromptScore: the log-probabilities of one prompt's tokens, read as its positions are computed.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/status.h"
#include "engine/request.h"
#include "engine/sampling/distribution.h"

namespace cairn::engine {

/// The logits of position i say how likely token i + 1 was, so those of all positions but the last
/// are wanted, once each. Pages of other requests hold keys and values and no logits: a prompt
/// finds in the cache only what was read before its own preemption.
class PromptScore {
 public:
  /// For the `top` likeliest ids beside each token; absent: nothing is wanted.
  PromptScore(std::optional<std::size_t> top, std::span<const TokenId> prompt);

  /// Positions whose logits were read; all below are too.
  std::size_t read_positions() const { return read_; }
  /// Positions whose logits are wanted: 0 up to this.
  std::size_t wanted_positions() const { return wanted_; }
  bool wants(std::size_t position) const { return position >= read_ && position < wanted_; }
  bool complete() const { return read_ == wanted_; }

  /// Reads the logits [vocabulary] of position read_positions() through `space`. `prompt` is the
  /// one of the constructor. Errors: kInternal for non-finite logits.
  Status read(std::span<const float> logits, std::span<const TokenId> prompt, Distribution& space);

  /// What was read of the whole prompt; null before complete() and where nothing was asked for.
  std::shared_ptr<const PromptLogprobs> result() const;

 private:
  std::size_t top_ = 0;
  std::size_t wanted_ = 0;
  std::size_t read_ = 0;
  std::shared_ptr<PromptLogprobs> tokens_;  // shared with whoever waited for the same prompt
};

}  // namespace cairn::engine
