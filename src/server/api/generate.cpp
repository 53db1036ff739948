#include "server/api/generate.h"

#include <fmt/core.h>

#include <algorithm>
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
  // With a schema, constrain() sets what the answer is kept to.
  if (request.response_format.is_object() && request.response_format["type"] == "json_object" &&
      request.answer_schema.is_null()) {
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

/// With echo the prompt is part of what log-probabilities are told of, and with no token to
/// generate all of it.
void fill_logprobs(const GenerationRequest& request, GenerateRequest& asked) {
  take(request.logprobs, asked.logprobs);
  if (request.logprobs) take(request.top_logprobs, asked.logprobs);
  take(request.prompt_logprobs, asked.prompt_logprobs);
  if (!request.echo.value_or(false) || (!request.logprobs && request.max_tokens != 0)) return;
  asked.prompt_logprobs = std::max(asked.prompt_logprobs.value_or(0), asked.logprobs.value_or(0));
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

/// Arguments as an object, which templates walk over (C08); parsing checked them.
void open_arguments(Json& message) {
  if (!message.contains("tool_calls") || !message["tool_calls"].is_array()) return;
  for (Json& call : message["tool_calls"]) {
    Json& arguments = call["function"]["arguments"];
    if (arguments.is_object()) continue;
    const std::string text = arguments.is_string() ? arguments.get<std::string>() : "";
    const Result<Json> object = parse_json(text.empty() ? "{}" : text);
    arguments = object.ok() ? *object : Json::object();
  }
}

/// What templates expect of one message.
void prepare(Json& message) {
  flatten(message);
  open_arguments(message);
  if (message["role"] == "developer") message["role"] = "system";  // C23
  if (message.contains("reasoning") && !message.contains("reasoning_content")) {
    message["reasoning_content"] = message["reasoning"];
  }
}

/// Several system messages at the start become one (C23).
void merge_systems(Json& messages) {
  while (messages.size() > 1 && messages[0]["role"] == "system" &&
         messages[1]["role"] == "system") {
    messages[0]["content"] = messages[0]["content"].get<std::string>() + "\n" +
                             messages[1]["content"].get<std::string>();
    messages.erase(1);
  }
}

}  // namespace

bool offers_tools(const GenerationRequest& request) {
  return request.tools.is_array() && !request.tools.empty() && request.tool_choice != "none";
}

runtime::ChatPrompt chat_prompt(const GenerationRequest& request) {
  runtime::ChatPrompt prompt{.messages = request.messages};
  if (offers_tools(request)) prompt.tools = request.tools;
  for (Json& message : prompt.messages) prepare(message);
  if (!request.system.empty()) {
    prompt.messages.insert(prompt.messages.begin(),
                           Json{{"role", "system"}, {"content", request.system}});
  }
  merge_systems(prompt.messages);
  if (request.chat_template_kwargs.is_object()) prompt.variables = request.chat_template_kwargs;
  if (!request.documents.is_null()) prompt.variables["documents"] = request.documents;
  if (request.thinking) prompt.variables["enable_thinking"] = *request.thinking;
  if (request.reasoning_effort) prompt.variables["reasoning_effort"] = *request.reasoning_effort;
  if (request.continue_final_message.value_or(false)) {
    prompt.final_message = runtime::FinalMessage::kContinued;
  }
  if (request.add_generation_prompt) {
    prompt.variables["add_generation_prompt"] = *request.add_generation_prompt;
  }
  return prompt;
}

std::optional<WireError> check_fields(const GenerationRequest& request) {
  if (std::optional<WireError> error = check_not_yet(request)) return error;
  return check_variables(request);
}

std::optional<WireError> fill(Endpoint endpoint, const GenerationRequest& request,
                              const runtime::Runtime& model, GenerateRequest& asked) {
  if (std::optional<WireError> error = check_fields(request)) return error;
  fill_sampling(request, model, asked.sampling);
  fill_limits(endpoint, request, asked);
  take(request.seed, asked.seed);
  fill_logprobs(request, asked);
  return std::nullopt;
}

std::vector<runtime::Prompt> prompts_of(const GenerationRequest& request) {
  if (!request.messages.is_null()) return {chat_prompt(request)};
  const auto start = request.add_special_tokens.value_or(true) ? runtime::StartToken::kAdd
                                                               : runtime::StartToken::kNone;
  std::vector<runtime::Prompt> prompts;
  for (const Prompt& prompt : request.prompts) {
    if (const auto* text = std::get_if<std::string>(&prompt)) {
      prompts.emplace_back(runtime::TextPrompt{.text = *text, .start = start});
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
