#include "server/api/generate.h"

#include <fmt/core.h>

#include <limits>

#include "server/wire/not_yet.h"

namespace cairn::server {
namespace {

using runtime::GenerateRequest;
using runtime::SamplingParams;

std::optional<WireError> check_not_yet(const GenerationRequest& request) {
  for (const NotYet& row : not_yet()) {
    if (!row.asks(request)) continue;
    return WireError{.cause = Cause::kNotImplemented,
                     .message = fmt::format("{}: {} is not supported yet", row.field, row.value),
                     .param = std::string(row.field)};
  }
  return std::nullopt;
}

/// A template's variables add to the conversation; they do not replace it.
std::optional<WireError> check_variables(const GenerationRequest& request) {
  for (const char* name :
       {"messages", "tools", "documents", "add_generation_prompt", "bos_token", "eos_token"}) {
    if (!request.chat_template_kwargs.is_object() || !request.chat_template_kwargs.contains(name)) {
      continue;
    }
    return WireError{.cause = Cause::kBadRequest,
                     .message = fmt::format("chat_template_kwargs: found {}, which is not the "
                                            "template's to be given",
                                            name),
                     .param = fmt::format("chat_template_kwargs.{}", name)};
  }
  return std::nullopt;
}

/// Sets `to` where the client gave a value.
template <typename To, typename From>
void take(const std::optional<From>& from, To& to) {
  if (from) to = static_cast<To>(*from);
}
template <typename To, typename From>
void take(const std::optional<From>& from, std::optional<To>& to) {
  if (from) to = static_cast<To>(*from);
}

void fill_truncations(const GenerationRequest& request, SamplingParams& params) {
  take(request.top_k, params.top_k);
  if (params.top_k < 0) params.top_k = 0;
  take(request.top_p, params.top_p);
  take(request.min_p, params.min_p);
  take(request.typical_p, params.typical_p);
  take(request.top_n_sigma, params.top_n_sigma);
  if (params.top_n_sigma < 0) params.top_n_sigma = 0;
  take(request.xtc_probability, params.xtc_probability);
  take(request.xtc_threshold, params.xtc_threshold);
  take(request.min_keep, params.min_keep);
}

void fill_penalties(const GenerationRequest& request, SamplingParams& params) {
  take(request.presence_penalty, params.presence_penalty);
  take(request.frequency_penalty, params.frequency_penalty);
  take(request.repetition_penalty, params.repetition_penalty);
  take(request.repeat_last_n, params.repetition_window);
  take(request.dry_multiplier, params.dry_multiplier);
  take(request.dry_base, params.dry_base);
  take(request.dry_allowed_length, params.dry_allowed_length);
  take(request.dry_penalty_last_n, params.dry_window);
  if (!request.dry_sequence_breakers.empty()) params.dry_breakers = request.dry_sequence_breakers;
}

void fill_bans(const GenerationRequest& request, SamplingParams& params) {
  for (const auto& [id, bias] : request.logit_bias) {
    params.bias.push_back({.token = static_cast<TokenId>(id), .bias = static_cast<float>(bias)});
  }
  if (request.allowed_token_ids) {
    for (const std::int64_t id : *request.allowed_token_ids) {
      params.allowed_ids.push_back(static_cast<TokenId>(id));
    }
  }
  params.banned_words = request.bad_words;
  take(request.min_tokens, params.tokens_min);
  if (request.response_format.is_object() && request.response_format["type"] == "json_object") {
    params.format = runtime::AnswerFormat::kJsonObject;
  }
}

void fill_sampling(const GenerationRequest& request, const runtime::Runtime& model,
                   SamplingParams& params) {
  params = model.default_sampling();
  if (!model.has_own_sampling()) params.temperature = 1;  // OpenAI's default
  take(request.temperature, params.temperature);
  take(request.dynatemp_range, params.dynatemp_range);
  take(request.dynatemp_exponent, params.dynatemp_exponent);
  take(request.mirostat, params.mirostat);
  take(request.mirostat_tau, params.mirostat_tau);
  take(request.mirostat_eta, params.mirostat_eta);
  params.order = request.samplers;
  fill_truncations(request, params);
  fill_penalties(request, params);
  fill_bans(request, params);
}

void fill_limits(Endpoint endpoint, const GenerationRequest& request, GenerateRequest& asked) {
  constexpr std::size_t kCompletionTokens = 16;  // OpenAI's default
  if (endpoint == Endpoint::kCompletions) asked.tokens_max = kCompletionTokens;
  take(request.max_tokens, asked.tokens_max);
  take(request.max_completion_tokens, asked.tokens_max);
  asked.stop_strings = request.stop;
  for (const std::int64_t id : request.stop_token_ids) {
    asked.stop_ids.push_back(static_cast<TokenId>(id));
  }
  if (request.ignore_eos.value_or(false)) asked.stop_at_end = runtime::StopAtEnd::kNo;
  take(request.priority, asked.priority);
  if (request.deadline_ms) asked.deadline_s = static_cast<double>(*request.deadline_ms) / 1000;
  asked.cache_salt = request.cache_salt.value_or("");
  if (!request.cache_prompt.value_or(true)) asked.reuse = runtime::PrefixReuse::kNo;
}

/// Content as the templates of text models take it: parts become one text, a line each, and the
/// missing content of a message with calls an empty one.
void flatten(Json& message) {
  const Json content = message.contains("content") ? message["content"] : Json();
  if (content.is_string()) return;
  std::string text;
  for (const Json& part : content) {
    for (const char* key : {"text", "thinking", "refusal"}) {
      if (!part.contains(key)) continue;
      if (!text.empty()) text += '\n';
      text += part[key].get<std::string>();
      break;
    }
  }
  message["content"] = text;
}

runtime::Prompt chat_prompt(const GenerationRequest& request) {
  runtime::ChatPrompt prompt{.messages = request.messages, .tools = request.tools};
  for (Json& message : prompt.messages) flatten(message);
  if (request.chat_template_kwargs.is_object()) prompt.variables = request.chat_template_kwargs;
  if (!request.documents.is_null()) prompt.variables["documents"] = request.documents;
  if (request.reasoning_effort) prompt.variables["reasoning_effort"] = *request.reasoning_effort;
  if (request.add_generation_prompt) {
    prompt.variables["add_generation_prompt"] = *request.add_generation_prompt;
  }
  return prompt;
}

}  // namespace

std::optional<WireError> fill(Endpoint endpoint, const GenerationRequest& request,
                              const runtime::Runtime& model, GenerateRequest& asked) {
  if (std::optional<WireError> error = check_not_yet(request)) return error;
  if (std::optional<WireError> error = check_variables(request)) return error;
  fill_sampling(request, model, asked.sampling);
  fill_limits(endpoint, request, asked);
  take(request.seed, asked.seed);
  take(request.logprobs, asked.logprobs);
  if (request.logprobs) take(request.top_logprobs, asked.logprobs);
  return std::nullopt;
}

std::vector<runtime::Prompt> prompts_of(Endpoint endpoint, const GenerationRequest& request) {
  if (endpoint == Endpoint::kChat) return {chat_prompt(request)};
  std::vector<runtime::Prompt> prompts;
  for (const Prompt& prompt : request.prompts) {
    if (const auto* text = std::get_if<std::string>(&prompt)) {
      prompts.emplace_back(runtime::TextPrompt{.text = *text});
      continue;
    }
    runtime::IdsPrompt ids;
    for (const std::int64_t id : std::get<std::vector<std::int64_t>>(prompt)) {
      // What a TokenId cannot hold is outside every vocabulary, and -1 is too.
      const bool fits = id >= 0 && id <= std::numeric_limits<TokenId>::max();
      ids.ids.push_back(fits ? static_cast<TokenId>(id) : TokenId{-1});
    }
    prompts.emplace_back(std::move(ids));
  }
  return prompts;
}

Json effective_params(const GenerateRequest& asked) {
  const SamplingParams& params = asked.sampling;
  Json object = {{"temperature", params.temperature},
                 {"top_k", params.top_k},
                 {"top_p", params.top_p},
                 {"min_p", params.min_p},
                 {"presence_penalty", params.presence_penalty},
                 {"frequency_penalty", params.frequency_penalty},
                 {"repetition_penalty", params.repetition_penalty},
                 {"seed", asked.seed ? Json(*asked.seed) : Json()},
                 {"stop", asked.stop_strings}};
  object["max_tokens"] = asked.tokens_max ? Json(*asked.tokens_max) : Json();
  return object;
}

}  // namespace cairn::server
