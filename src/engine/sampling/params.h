// How the next token is chosen from the logits: the knobs, their ranges and their check.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/token.h"

namespace cairn::engine {

class Grammar;
class MaskSource;

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
inline constexpr Range kProbabilityRange = {0, 1};  // top_p, min_p, typical_p and XTC's two
inline constexpr Range kRepetitionPenaltyRange = {0.01, 100};
inline constexpr Range kTokenPenaltyRange = {-2, 2};  // presence and frequency
inline constexpr Range kDynamicTemperatureRange = {0, 100};
inline constexpr Range kDynamicExponentRange = {0, 100};
inline constexpr Range kTopNSigmaRange = {0, 1000};
inline constexpr Range kDryMultiplierRange = {0, 1000};
inline constexpr Range kDryBaseRange = {1, 1000};
inline constexpr Range kMirostatRange = {0, 2};
inline constexpr Range kMirostatTauRange = {0, 100};
inline constexpr Range kMirostatEtaRange = {0, 10};

/// Most banned words and bytes of one: finding the tokens that hold one costs a look at each.
inline constexpr std::size_t kBannedWordsMax = 256;
inline constexpr std::size_t kBannedBytesMax = 1024;
/// Most DRY breakers and bytes of one.
inline constexpr std::size_t kDryBreakersMax = 64;
inline constexpr std::size_t kDryBreakerBytesMax = 256;
/// Longest pattern that the repetition stop looks for.
inline constexpr std::int64_t kPatternMax = 1024;

/// What the whole answer has to be.
enum class AnswerFormat : std::uint8_t { kText, kJsonObject };

/// Every stage's knob, at a value where the stage does nothing. What bans ids runs first, then the
/// stages in `order`.
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

  std::int64_t answer_window = -1;  // last tokens of the answer that presence and frequency count
  double dynatemp_range = 0;        // the temperature moves by up to this with the entropy
  double dynatemp_exponent = 1;     // how entropy becomes temperature
  double typical_p = 1;             // the tokens nearest to the entropy that have this probability
  double top_n_sigma = 0;           // deviations below the highest logit that stay in; 0: all
  double xtc_probability = 0;       // how often the likeliest are taken out
  double xtc_threshold = 0.1;       // what counts as likely there
  double dry_multiplier = 0;        // of the penalty for going on with a repetition
  double dry_base = 1.75;           // to the power of its length past the allowed one
  std::int64_t dry_allowed_length = 2;  // repetitions of so many tokens pass freely
  std::int64_t dry_window = -1;         // last tokens searched for them; 0: none, -1: all
  std::vector<std::string> dry_breakers = {"\n", ":", "\"", "*"};  // end a repetition
  std::int64_t mirostat = 0;            // 1 or 2: draws so that the surprise stays at mirostat_tau
  double mirostat_tau = 5;              // bits
  double mirostat_eta = 0.1;            // how fast it corrects itself
  std::int64_t min_keep = 0;            // what truncations leave at least
  std::vector<std::string> order = {};  // names of stages; empty: all as stages() has them

  std::vector<TokenId> allowed_ids = {};       // no others; empty: all
  std::vector<std::string> banned_words = {};  // bytes that the answer never contains
  std::int64_t tokens_min = 0;                 // before so many, no stop id
  std::vector<TokenId> forced_ids = {};        // the answer's beginning, whatever the logits say
  std::int64_t repetition_pattern_min = 1;     // shortest pattern of the repetition stop, tokens
  std::int64_t repetition_pattern_max = 0;     // longest; 0: the stop is off
  std::int64_t repetition_count = 2;           // how often it has to stand in a row
  AnswerFormat format = AnswerFormat::kText;
  /// What the answer is kept to, sealed; in place of `format`.
  std::shared_ptr<const Grammar> grammar = {};
  /// Makes a source of masks for one answer; in place of these.
  std::function<std::unique_ptr<MaskSource>()> mask = {};
};

/// Errors: kInvalidArgument naming the field, its value and the range; for ids at or past
/// `vocabulary`; for a stage in `order` that is unknown or stands twice,
/// or is missing though its knob is turned; for knobs that contradict each other.
Status check(const SamplingParams& params, std::size_t vocabulary);

}  // namespace cairn::engine
