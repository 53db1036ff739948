#include "server/llama/timings.h"

#include "base/clock.h"

namespace cairn::server {
namespace {

Json ratio(double part, double whole) { return whole > 0 ? Json(part / whole) : Json(); }

}  // namespace

Json timings_of(const Usage& usage) {
  const std::uint64_t prompt_tokens = usage.prompt_tokens - usage.cached_tokens;
  const auto prompt = static_cast<double>(prompt_tokens);
  const auto predicted = static_cast<double>(usage.completion_tokens);
  return {{"cache_n", usage.cached_tokens},
          {"prompt_n", prompt_tokens},
          {"prompt_ms", usage.prompt_s * kMsPerSecond},
          {"prompt_per_token_ms", ratio(usage.prompt_s * kMsPerSecond, prompt)},
          {"prompt_per_second", ratio(prompt, usage.prompt_s)},
          {"predicted_n", usage.completion_tokens},
          {"predicted_ms", usage.decode_s * kMsPerSecond},
          {"predicted_per_token_ms", ratio(usage.decode_s * kMsPerSecond, predicted)},
          {"predicted_per_second", ratio(predicted, usage.decode_s)}};
}

}  // namespace cairn::server
