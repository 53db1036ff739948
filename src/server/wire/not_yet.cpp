#include "server/wire/not_yet.h"

#include <array>

namespace cairn::server {
namespace {

constexpr std::array kNotYet = {
    NotYet{"add_special_tokens", "true, of a conversation",
           [](const GenerationRequest& r) {
             return !r.messages.is_null() && r.add_special_tokens.value_or(false);
           }},
    NotYet{"thinking_token_budget", "a number of tokens",
           [](const GenerationRequest& r) { return r.thinking_token_budget.value_or(-1) >= 0; }},
    NotYet{"include_stop_str_in_output", "true",
           [](const GenerationRequest& r) { return r.include_stop_str_in_output.value_or(false); }},
    NotYet{"t_max_predict_ms", "a time",
           [](const GenerationRequest& r) { return r.t_max_predict_ms.value_or(0) > 0; }},
    NotYet{"return_token_ids", "true",
           [](const GenerationRequest& r) { return r.return_token_ids.value_or(false); }},
    NotYet{"return_tokens_as_token_ids", "true",
           [](const GenerationRequest& r) { return r.return_tokens_as_token_ids.value_or(false); }},
    NotYet{"skip_special_tokens", "false",
           [](const GenerationRequest& r) { return !r.skip_special_tokens.value_or(true); }},
    NotYet{"timings_per_token", "true",
           [](const GenerationRequest& r) { return r.timings_per_token.value_or(false); }},
    NotYet{"return_progress", "true",
           [](const GenerationRequest& r) { return r.return_progress.value_or(false); }},
    NotYet{"stream_options.continuous_usage_stats", "true",
           [](const GenerationRequest& r) { return r.continuous_usage_stats.value_or(false); }},
};

}  // namespace

std::span<const NotYet> not_yet() { return kNotYet; }

}  // namespace cairn::server
