#include "server/wire/not_yet.h"

#include <array>

namespace cairn::server {
namespace {

constexpr std::array kNotYet = {
    NotYet{"continue_final_message", "true",
           [](const GenerationRequest& r) { return r.continue_final_message.value_or(false); }},
    NotYet{"add_special_tokens", "any value",
           [](const GenerationRequest& r) { return r.add_special_tokens.has_value(); }},
    NotYet{"thinking_token_budget", "a number of tokens",
           [](const GenerationRequest& r) { return r.thinking_token_budget.value_or(-1) >= 0; }},
    NotYet{"include_reasoning", "false",
           [](const GenerationRequest& r) { return !r.include_reasoning.value_or(true); }},
    NotYet{"reasoning_format", "anything but none and auto",
           [](const GenerationRequest& r) {
             const std::string format = r.reasoning_format.value_or("none");
             return format != "none" && format != "auto";
           }},
    NotYet{"tools", "tools, where tool_choice lets them be called",
           [](const GenerationRequest& r) {
             return r.tools.is_array() && !r.tools.empty() && r.tool_choice != "none";
           }},
    NotYet{"response_format", "json_schema",
           [](const GenerationRequest& r) {
             return r.response_format.is_object() && r.response_format["type"] != "text" &&
                    r.response_format["type"] != "json_object";
           }},
    NotYet{"include_stop_str_in_output", "true",
           [](const GenerationRequest& r) { return r.include_stop_str_in_output.value_or(false); }},
    NotYet{"max_tokens", "0", [](const GenerationRequest& r) { return r.max_tokens == 0; }},
    NotYet{"t_max_predict_ms", "a time",
           [](const GenerationRequest& r) { return r.t_max_predict_ms.value_or(0) > 0; }},
    NotYet{"prompt_logprobs", "any value",
           [](const GenerationRequest& r) { return r.prompt_logprobs.has_value(); }},
    NotYet{"echo", "true with logprobs",
           [](const GenerationRequest& r) {
             return r.echo.value_or(false) && r.logprobs.has_value();
           }},
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
