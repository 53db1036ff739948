// How the next token is chosen from the logits: the knobs, their ranges and their check.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "base/token.h"

namespace cairn::engine {

/// Added to one token's logit before anything else.
struct LogitBias {
  TokenId token = 0;
  float bias = 0;  // -100 to 100, or -infinity: never
};

/// Every stage's knob, at a value where the stage does nothing. Stages run in this order.
struct SamplingParams {
  std::vector<LogitBias> bias = {};
  double repetition_penalty = 1;        // 0.01 to 100; positive logits are divided by it
  std::int64_t repetition_window = -1;  // last tokens it looks at; 0: none, -1: all
  double presence_penalty = 0;          // -2 to 2, subtracted once
  double frequency_penalty = 0;         // -2 to 2, subtracted per occurrence
  double temperature = 0;               // 0 to 100; 0: greedy, ties to the lowest id
  std::int64_t top_k = 0;               // most tokens kept; 0: all
  double top_p = 1;                     // 0 to 1; the likeliest token always stays
  double min_p = 0;                     // 0 to 1, share of the likeliest token's probability
  std::uint64_t seed = 0;               // an absent seed is drawn by the caller
};

/// Errors: kInvalidArgument naming the field, its value and the range; bias also for ids at or past
/// `vocabulary` and for an id that stands twice.
Status check(const SamplingParams& params, std::size_t vocabulary);

}  // namespace cairn::engine
