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

/// Accepted values, both ends included.
struct Range {
  double low = 0;
  double high = 0;
};

inline constexpr Range kTemperatureRange = {0, 100};
inline constexpr Range kProbabilityRange = {0, 1};  // top_p and min_p
inline constexpr Range kRepetitionPenaltyRange = {0.01, 100};
inline constexpr Range kTokenPenaltyRange = {-2, 2};  // presence and frequency

/// Every stage's knob, at a value where the stage does nothing. Stages run in this order.
struct SamplingParams {
  std::vector<LogitBias> bias = {};
  double repetition_penalty = 1;        // positive logits are divided by it
  std::int64_t repetition_window = -1;  // last tokens it looks at; 0: none, -1: all
  double presence_penalty = 0;          // subtracted once
  double frequency_penalty = 0;         // subtracted per occurrence
  double temperature = 0;               // 0: greedy, ties to the lowest id
  std::int64_t top_k = 0;               // most tokens kept; 0: all
  double top_p = 1;                     // the likeliest token always stays
  double min_p = 0;                     // share of the likeliest token's probability
  std::uint64_t seed = 0;               // an absent seed is drawn by the caller
};

/// Errors: kInvalidArgument naming the field, its value and the range; bias also for ids at or past
/// `vocabulary` and for an id that stands twice.
Status check(const SamplingParams& params, std::size_t vocabulary);

}  // namespace cairn::engine
