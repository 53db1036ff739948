// What goes into the engine and what comes out: ids, never text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/token.h"
#include "engine/sampling/distribution.h"
#include "engine/sampling/near_ties.h"
#include "engine/sampling/params.h"
#include "engine/sampling/token_bytes.h"
#include "engine/speculation/lookup.h"

namespace cairn::engine {

/// Whether pages of earlier requests may be used. The answer has the same bits either way.
enum class PrefixReuse : std::uint8_t { kYes, kNo };

/// What becomes of an answer whose sequence reaches the context.
enum class ContextFull : std::uint8_t {
  kStop,    // it ends, with kLength
  kShift,   // whole pages behind the kept ids go, and the rest is computed again in their place
  kRefuse,  // it is never begun: a request that could get there is refused
};

/// "stop", "shift" or "refuse"; nothing for another word.
std::optional<ContextFull> context_full_of(std::string_view word);

/// Whose log-probabilities are reported: the model's own, or those of the distribution that was
/// drawn from, after bias, bans, penalties, temperature and truncation.
enum class LogprobsOf : std::uint8_t { kModel, kProcessed };

/// How the hidden states of a prompt become one vector: their mean, the last one, the first one.
enum class Pooling : std::uint8_t { kMean, kLast, kCls };

/// "mean", "last" or "cls"; nothing for another word.
std::optional<Pooling> pooling_of(std::string_view word);

/// Most ids whose log-probabilities one request may ask for by name.
inline constexpr std::size_t kLogprobIdsMax = 1024;

struct Request {
  std::vector<TokenId> prompt = {};  // at least one id
  SamplingParams sampling = {};
  std::optional<std::size_t> tokens_max = {};  // absent: to the end of the context
  std::vector<TokenId> stop_ids = {};          // published, then the stream ends
  std::vector<std::string> stop_strings = {};  // bytes; matched before a token is published
  std::optional<std::size_t> logprobs = {};    // likeliest ids to report per token; absent: none
  LogprobsOf logprobs_of = LogprobsOf::kModel;
  std::vector<TokenId> logprob_ids = {};  // reported for every token beside those; with logprobs
  // Likeliest ids to report beside each token of the prompt, as the model has them; absent: none.
  // With it tokens_max may be 0.
  std::optional<std::size_t> prompt_logprobs = {};
  std::uint64_t choice = 0;  // which of several answers, a key of the random numbers
  double priority = 0;       // lower is served first
  // Seconds from submission after which it ends with what it has; absent: never.
  std::optional<double> deadline_s = {};
  PrefixReuse reuse = PrefixReuse::kYes;
  std::string cache_salt = {};  // pages are shared with requests of the same salt only
  // Instead of an answer its prompt becomes a vector; what says how an answer is generated does
  // nothing then.
  std::optional<Pooling> pooling = {};
  // Asked before every step by the thread that runs it; true ends it as cancel() does. It may not
  // call the engine.
  std::function<bool()> stop_asked = {};
};

/// Why a stream ended.
enum class FinishReason : std::uint8_t {
  kStopId,
  kStopString,
  kLength,
  kCancelled,
  kError,
  kDeadline,
  kRepetition,  // the answer's end was one pattern over and over (SamplingParams)
  kPooled,      // the vector of a request that pools is there
};

/// What interfaces call it: "stop", "stop", "length", "cancelled", "error", "deadline",
/// "repetition", "pooled".
std::string_view name_of(FinishReason reason);

/// One generated token.
struct Token {
  TokenId id = 0;
  std::string_view bytes = {};           // what it adds to the text: cut where a stop string begins
  float logprob = 0;                     // only with Request::logprobs
  std::vector<TokenLogprob> top = {};    // likeliest first, ties to the lowest id; likewise
  std::vector<TokenLogprob> asked = {};  // of Request::logprob_ids, in their order
};

/// One token of a prompt, as likely as the model takes it to be after those before it.
struct PromptToken {
  TokenId id = 0;
  float logprob = 0;
  std::size_t rank = 0;                // 1: the likeliest; ties to the lowest id
  std::vector<TokenLogprob> top = {};  // likeliest first, ties to the lowest id
};

/// Tokens of a prompt from the second on: nothing stands before the first.
using PromptLogprobs = std::vector<PromptToken>;

/// Counts and times of one request. Seconds are those of the steps it took part in: what the
/// consumer does between two calls of next() is not counted.
struct RequestFigures {
  std::size_t prompt_tokens = 0;
  std::size_t cached_tokens = 0;     // of those, found in the cache and not computed
  std::size_t generated_tokens = 0;  // stop id counted
  std::size_t dropped_tokens = 0;    // of prompt and answer, to make room in a full context
  std::size_t preemptions = 0;       // how often its pages went to others and were computed again
  double prompt_s = 0;               // up to the first id
  double decode_s = 0;               // of all ids after the first
  NearTies near_ties = {};
  std::optional<DraftFigures> drafts = {};  // absent where nothing may be guessed
};

}  // namespace cairn::engine
