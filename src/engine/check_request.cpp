#include "engine/check_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace cairn::engine {
namespace {

Status check_ids(std::string_view what, std::span<const TokenId> ids, std::size_t vocabulary) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && static_cast<std::size_t>(ids[i]) < vocabulary) continue;
    return invalid_argument(fmt::format("{} {} is id {}, the vocabulary has ids 0 to {}", what, i,
                                        ids[i], vocabulary - 1));
  }
  return {};
}

}  // namespace

Status check(const Request& request, const GenerationLimits& limits) {
  if (request.prompt.empty()) return invalid_argument("the prompt has no tokens, it needs one");
  CAIRN_TRY(check_ids("prompt token", request.prompt, limits.vocabulary));
  if (request.prompt.size() > limits.context) {
    return too_large(fmt::format("the prompt has {} tokens, the context holds {}",
                                 request.prompt.size(), limits.context));
  }
  if (request.tokens_max == std::size_t{0} && !request.prompt_logprobs) {
    return invalid_argument("the most tokens to generate is 0, accepted is 1 or more");
  }
  if (limits.on_full == ContextFull::kRefuse && request.tokens_max.value_or(0) > 0 &&
      *request.tokens_max - 1 > limits.context - request.prompt.size()) {
    return too_large(fmt::format(
        "the prompt has {} tokens and up to {} are to be generated, the context holds {}",
        request.prompt.size(), *request.tokens_max, limits.context));
  }
  const std::int64_t tokens_min = request.sampling.tokens_min;
  if (request.tokens_max && tokens_min > 0 &&
      static_cast<std::uint64_t>(tokens_min) > *request.tokens_max) {
    return invalid_argument(fmt::format("tokens_min is {}, more than the most tokens, which is {}",
                                        tokens_min, *request.tokens_max));
  }
  CAIRN_TRY(check_ids("stop token", request.stop_ids, limits.vocabulary));
  if (std::ranges::any_of(request.stop_strings, &std::string::empty)) {
    return invalid_argument("a stop string is empty, it needs at least one byte");
  }
  if (request.logprobs && *request.logprobs > limits.vocabulary) {
    return invalid_argument(fmt::format("logprobs is {}, the vocabulary has {} ids",
                                        *request.logprobs, limits.vocabulary));
  }
  if (request.prompt_logprobs && *request.prompt_logprobs > limits.vocabulary) {
    return invalid_argument(fmt::format("prompt_logprobs is {}, the vocabulary has {} ids",
                                        *request.prompt_logprobs, limits.vocabulary));
  }
  CAIRN_TRY(check_ids("logprob id", request.logprob_ids, limits.vocabulary));
  if (!request.logprob_ids.empty() && !request.logprobs) {
    return invalid_argument("logprob ids were asked for without logprobs, which they are part of");
  }
  if (request.logprob_ids.size() > kLogprobIdsMax) {
    return invalid_argument(fmt::format("{} logprob ids, accepted are up to {}",
                                        request.logprob_ids.size(), kLogprobIdsMax));
  }
  if (!std::isfinite(request.priority)) {
    return invalid_argument(
        fmt::format("priority is {}, accepted is a finite number", request.priority));
  }
  if (request.deadline_s && !(*request.deadline_s > 0)) {
    return invalid_argument(
        fmt::format("deadline_s is {}, accepted is more than 0 seconds", *request.deadline_s));
  }
  return check(request.sampling, limits.vocabulary);
}

}  // namespace cairn::engine
