#include "engine/sampling/params.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_set>

#include "engine/sampling/stages.h"

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
    {"dynatemp_range", &SamplingParams::dynatemp_range, kDynamicTemperatureRange},
    {"dynatemp_exponent", &SamplingParams::dynatemp_exponent, kDynamicExponentRange},
    {"typical_p", &SamplingParams::typical_p, kProbabilityRange},
    {"top_n_sigma", &SamplingParams::top_n_sigma, kTopNSigmaRange},
    {"xtc_probability", &SamplingParams::xtc_probability, kProbabilityRange},
    {"xtc_threshold", &SamplingParams::xtc_threshold, kProbabilityRange},
    {"dry_multiplier", &SamplingParams::dry_multiplier, kDryMultiplierRange},
    {"dry_base", &SamplingParams::dry_base, kDryBaseRange},
    {"mirostat_tau", &SamplingParams::mirostat_tau, kMirostatTauRange},
    {"mirostat_eta", &SamplingParams::mirostat_eta, kMirostatEtaRange},
};

/// A whole number with a smallest and a largest value, and what these mean.
struct Whole {
  std::string_view name;
  std::int64_t SamplingParams::*field = nullptr;
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  std::string_view accepted;
};

constexpr std::string_view kWindow = "-1 (all tokens), 0 (none) or a number of tokens";
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

constexpr Whole kWhole[] = {
    {"repetition_window", &SamplingParams::repetition_window, -1, kMost, kWindow},
    {"answer_window", &SamplingParams::answer_window, -1, kMost, kWindow},
    {"dry_window", &SamplingParams::dry_window, -1, kMost, kWindow},
    {"top_k", &SamplingParams::top_k, 0, kMost, "0 (all) or a number of tokens"},
    {"dry_allowed_length", &SamplingParams::dry_allowed_length, 1, kMost, "1 or more"},
    {"mirostat", &SamplingParams::mirostat, 0, 2, "0 (off), 1 or 2"},
    {"min_keep", &SamplingParams::min_keep, 0, kMost, "0 or more"},
    {"tokens_min", &SamplingParams::tokens_min, 0, kMost, "0 or more"},
    {"repetition_pattern_min", &SamplingParams::repetition_pattern_min, 1, kPatternMax,
     "1 to 1024"},
    {"repetition_pattern_max", &SamplingParams::repetition_pattern_max, 0, kPatternMax,
     "0 (off) to 1024"},
    {"repetition_count", &SamplingParams::repetition_count, 2, kPatternMax, "2 to 1024"},
};

Status check_numbers(const SamplingParams& params) {
  for (const Bounded& bound : kBounded) {
    const double value = params.*bound.field;
    if (value >= bound.range.low && value <= bound.range.high) continue;  // false for NaN
    return invalid_argument(fmt::format("{} is {}, accepted is {} to {}", bound.name, value,
                                        bound.range.low, bound.range.high));
  }
  for (const Whole& whole : kWhole) {
    const std::int64_t value = params.*whole.field;
    if (value >= whole.low && value <= whole.high) continue;
    return invalid_argument(
        fmt::format("{} is {}, accepted is {}", whole.name, value, whole.accepted));
  }
  return {};
}

Status check_id(std::string_view field, TokenId id, std::size_t vocabulary) {
  if (id >= 0 && static_cast<std::size_t>(id) < vocabulary) return {};
  return invalid_argument(
      fmt::format("{} names id {}, the vocabulary has ids 0 to {}", field, id, vocabulary - 1));
}

Status check_bias(const std::vector<LogitBias>& bias, std::size_t vocabulary) {
  std::unordered_set<TokenId> seen;
  for (const LogitBias& entry : bias) {
    CAIRN_TRY(check_id("logit_bias", entry.token, vocabulary));
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

/// Most texts and most bytes of one.
struct TextsLimit {
  std::size_t count = 0;
  std::size_t bytes = 0;
};

Status check_texts(std::string_view field, std::span<const std::string> texts, TextsLimit most) {
  if (texts.size() > most.count) {
    return invalid_argument(
        fmt::format("{} has {} texts, accepted are at most {}", field, texts.size(), most.count));
  }
  for (const std::string& text : texts) {
    if (!text.empty() && text.size() <= most.bytes) continue;
    return invalid_argument(fmt::format("{} has a text of {} bytes, accepted are 1 to {}", field,
                                        text.size(), most.bytes));
  }
  return {};
}

Status check_order(const SamplingParams& params) {
  if (params.order.empty()) return {};
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : params.order) {
    if (find_stage(name) == nullptr) {
      return invalid_argument(
          fmt::format("order names the stage '{}', there are {}", name, stage_names()));
    }
    if (!seen.insert(name).second) {
      return invalid_argument(fmt::format("order names the stage {} twice", name));
    }
  }
  for (const Stage& stage : stages()) {
    if (!stage.active(params) || seen.contains(stage.name)) continue;
    return invalid_argument(fmt::format(
        "order leaves out the stage {}, whose parameters ask for it; name it or turn it off",
        stage.name));
  }
  return {};
}

/// Mirostat decides how many tokens stay; nothing else may.
Status check_mirostat(const SamplingParams& params) {
  if (params.mirostat == 0) return {};
  for (const Stage& stage : stages()) {
    if (stage.kind != StageKind::kTruncation || !stage.active(params)) continue;
    return invalid_argument(
        fmt::format("mirostat {} decides how many tokens stay, beside it {} has no place",
                    params.mirostat, stage.name));
  }
  return {};
}

Status check_contradictions(const SamplingParams& params) {
  if (params.repetition_pattern_max != 0 &&
      params.repetition_pattern_min > params.repetition_pattern_max) {
    return invalid_argument(
        fmt::format("repetition_pattern_min is {}, more than repetition_pattern_max, which is {}",
                    params.repetition_pattern_min, params.repetition_pattern_max));
  }
  const int forms = static_cast<int>(params.mask != nullptr) +
                    static_cast<int>(params.grammar != nullptr) +
                    static_cast<int>(params.format != AnswerFormat::kText);
  if (forms > 1) {
    return invalid_argument(
        "of a mask source, a grammar and a JSON answer there are several, accepted is one of them");
  }
  return check_mirostat(params);
}

}  // namespace

Status check(const SamplingParams& params, std::size_t vocabulary) {
  CAIRN_TRY(check_numbers(params));
  CAIRN_TRY(check_texts("banned_words", params.banned_words, {kBannedWordsMax, kBannedBytesMax}));
  CAIRN_TRY(
      check_texts("dry_breakers", params.dry_breakers, {kDryBreakersMax, kDryBreakerBytesMax}));
  CAIRN_TRY(check_order(params));
  CAIRN_TRY(check_contradictions(params));
  for (const TokenId id : params.allowed_ids) CAIRN_TRY(check_id("allowed_ids", id, vocabulary));
  for (const TokenId id : params.forced_ids) CAIRN_TRY(check_id("forced_ids", id, vocabulary));
  return check_bias(params.bias, vocabulary);
}

}  // namespace cairn::engine
