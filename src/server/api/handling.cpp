#include "server/api/handling.h"

#include <fmt/core.h>

#include <array>

namespace cairn::server {
namespace {

/// How messages of the rooms below begin, and the field of the wire that each is about.
struct Subject {
  std::string_view beginning = {};
  std::string_view field = {};
};

constexpr std::array kSubjects = {
    Subject{"the prompt", "prompt"},
    Subject{"prompt token", "prompt"},
    Subject{"id number", "prompt"},
    Subject{"the most tokens", "max_tokens"},
    Subject{"tokens_min", "min_tokens"},
    Subject{"stop token", "stop_token_ids"},
    Subject{"a stop string", "stop"},
    Subject{"logit_bias", "logit_bias"},
    Subject{"allowed_ids", "allowed_token_ids"},
    Subject{"allowed id", "allowed_token_ids"},
    Subject{"banned_words", "bad_words"},
    Subject{"order", "samplers"},
    Subject{"repetition_window", "repeat_last_n"},
    Subject{"dry_window", "dry_penalty_last_n"},
    Subject{"dry_breakers", "dry_sequence_breakers"},
    Subject{"deadline", "deadline_ms"},
    Subject{"the deadline", "deadline_ms"},
    Subject{"template variables", "chat_template_kwargs"},
    Subject{"messages", "messages"},
};

/// The field that a message about a value names by its own word: "top_p is 2, accepted is 0 to 1".
std::string_view first_word(std::string_view message) {
  return message.substr(0, message.find_first_of(" :"));
}

std::string field_of(const GenerationRequest& request, std::string_view message) {
  for (const Subject& subject : kSubjects) {
    if (!message.starts_with(subject.beginning)) continue;
    const bool chat = subject.field == "prompt" && !request.messages.is_null();
    return std::string(chat ? "messages" : subject.field);
  }
  const std::string_view word = first_word(message);
  for (const Field& field : fields()) {
    if (field.name == word) return std::string(word);
  }
  return {};
}

}  // namespace

Response json_response(const Json& object) {
  Response response;
  response.body = line_of(object);
  return response;
}

std::optional<WireError> check_model(const ServedModel& model,
                                     const std::optional<std::string>& name) {
  if (!name || *name == model.name) return std::nullopt;
  return WireError{
      .cause = Cause::kNotFound,
      .message = fmt::format("no model is called \"{}\"; there is: {}", *name, model.name),
      .param = "model",
      .code = "model_not_found"};
}

ParsedRequest parse_body(const Api& api, Endpoint endpoint, const Exchange& exchange) {
  ParsedRequest parsed = parse_request(endpoint, exchange.request.body, api.strictness);
  if (!parsed.error) parsed.error = check_model(api.model, parsed.request.model);
  // How fast an answer begins would tell one key what another one's prompts were.
  const std::string& scope = exchange.request.cache_scope;
  if (!scope.empty()) {
    parsed.request.cache_salt = scope + "/" + parsed.request.cache_salt.value_or("");
  }
  return parsed;
}

WireError wire_error(const GenerationRequest& request, const Status& status) {
  return {.cause = cause_of(status.code()),
          .message = status.message(),
          .param = field_of(request, status.message())};
}

}  // namespace cairn::server
