#include "engine/sampling/params.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace cairn::engine {
namespace {

/// A field of SamplingParams that must lie in a range.
struct Bounded {
  std::string_view name;
  double SamplingParams::*field = nullptr;
  Range range = {};
};

constexpr Bounded kBounded[] = {
    {"repetition_penalty", &SamplingParams::repetition_penalty, kRepetitionPenaltyRange},
    {"presence_penalty", &SamplingParams::presence_penalty, kTokenPenaltyRange},
    {"frequency_penalty", &SamplingParams::frequency_penalty, kTokenPenaltyRange},
    {"temperature", &SamplingParams::temperature, kTemperatureRange},
    {"top_p", &SamplingParams::top_p, kProbabilityRange},
    {"min_p", &SamplingParams::min_p, kProbabilityRange},
};

Status check_range(const Bounded& bound, double value) {
  if (value >= bound.range.low && value <= bound.range.high) return {};  // false for NaN
  return invalid_argument(fmt::format("{} is {}, accepted is {} to {}", bound.name, value,
                                      bound.range.low, bound.range.high));
}

Status check_bias(const std::vector<LogitBias>& bias, std::size_t vocabulary) {
  std::unordered_set<TokenId> seen;
  for (const LogitBias& entry : bias) {
    if (entry.token < 0 || static_cast<std::size_t>(entry.token) >= vocabulary) {
      return invalid_argument(fmt::format("logit_bias names id {}, the vocabulary has ids 0 to {}",
                                          entry.token, vocabulary - 1));
    }
    const bool banned = entry.bias == -std::numeric_limits<float>::infinity();
    if (!banned && !(entry.bias >= -100.0F && entry.bias <= 100.0F)) {
      return invalid_argument(
          fmt::format("logit_bias of id {} is {}, accepted is -100 to 100, or -inf for never",
                      entry.token, entry.bias));
    }
    if (!seen.insert(entry.token).second) {
      return invalid_argument(fmt::format("logit_bias names id {} twice", entry.token));
    }
  }
  return {};
}

}  // namespace

Status check(const SamplingParams& params, std::size_t vocabulary) {
  for (const Bounded& bound : kBounded) CAIRN_TRY(check_range(bound, params.*bound.field));
  if (params.repetition_window < -1) {
    return invalid_argument(fmt::format(
        "repetition_window is {}, accepted is -1 (all tokens), 0 (none) or a number of tokens",
        params.repetition_window));
  }
  if (params.top_k < 0) {
    return invalid_argument(
        fmt::format("top_k is {}, accepted is 0 (all) or a number of tokens", params.top_k));
  }
  return check_bias(params.bias, vocabulary);
}

}  // namespace cairn::engine
