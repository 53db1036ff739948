#include "server/wire/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/nearest.h"
#include "server/wire/readers.h"
#include "server/wire/strict_json.h"

namespace cairn::server {
namespace {

using Error = std::optional<WireError>;

Error error_at(std::string param, std::string message) {
  return WireError{.cause = Cause::kBadRequest,
                   .message = std::move(message),
                   .param = std::move(param),
                   .code = {}};
}

Error named(std::string param, std::string_view message) {
  std::string text = fmt::format("{}: {}", param, message);
  return error_at(std::move(param), std::move(text));
}

bool is_neutral(const Field& field, const Json& value) {
  return !field.neutral.empty() && Json::parse(field.neutral, nullptr, false) == value;
}

Error read_field(const Field& field, const Json& value, ParsedRequest& parsed) {
  const std::string name(field.name);
  if (value.is_null()) return std::nullopt;  // A14
  switch (field.behaviour) {
    case Behaviour::kInert:
      parsed.ignored_fields.push_back(name);
      return std::nullopt;
    case Behaviour::kRefused:
      if (is_neutral(field, value)) return std::nullopt;
      return named(name, fmt::format("not supported. {}", field.sentence));
    case Behaviour::kHonoured:
      break;
  }
  const std::optional<FieldFault> fault = field.read(field, value, parsed.request);
  if (!fault.has_value()) return std::nullopt;
  return named(name + fault->path, fault->message);
}

Error read_unknown(Endpoint endpoint, const std::string& name, Strictness strictness,
                   ParsedRequest& parsed) {
  if (strictness == Strictness::kStrict) {
    return named(name, fmt::format("{} has no such field{}", path_of(endpoint),
                                   did_you_mean(name, field_names(endpoint))));
  }
  parsed.ignored_fields.push_back(name);
  return std::nullopt;
}

bool is_set(const std::optional<bool>& value) { return value.value_or(false); }

Error check_choices(const GenerationRequest& request) {
  const std::int64_t prompts =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(request.prompts.size()));
  const std::int64_t answers = prompts * request.n.value_or(1);
  if (answers > static_cast<std::int64_t>(kPromptsMax)) {
    return named("n", fmt::format("{} prompts with {} answers each; at most {} answers are "
                                  "accepted together",
                                  prompts, request.n.value_or(1), kPromptsMax));
  }
  return std::nullopt;
}

/// What several fields say together.
Error check_together(Endpoint endpoint, const GenerationRequest& request, const Json& body) {
  const auto given = [&](const char* name) { return body.contains(name) && !body[name].is_null(); };
  if (given("stream_options") && !is_set(request.stream)) {
    return named("stream_options", "only with stream");
  }
  if (given("response_format") && (given("guided_json") || given("json_schema"))) {
    return named("response_format",
                 "not with guided_json or json_schema, which say the same; one is accepted");
  }
  if (request.prompt_logprobs.has_value() && is_set(request.stream)) {
    return named("prompt_logprobs", "not with stream");
  }
  if (endpoint == Endpoint::kCompletions && request.max_tokens == 0 && !is_set(request.echo)) {
    return named("max_tokens",
                 "0 was found; a whole number of at least 1 is expected without echo");
  }
  if (request.top_logprobs.value_or(0) > 0 && !request.logprobs.has_value()) {
    return named("top_logprobs", "only with logprobs true");  // A04
  }
  if (is_set(request.add_generation_prompt) && is_set(request.continue_final_message)) {
    return named("continue_final_message", "excludes add_generation_prompt");
  }
  if (request.min_tokens.value_or(0) > request.max_tokens.value_or(1LL << 31)) {
    return named("min_tokens", "more than max_tokens");
  }
  return check_choices(request);
}

bool has_tool(const Json& tools, const Json& name) {
  for (const Json& tool : tools) {
    if (tool["function"]["name"] == name) return true;
  }
  return false;
}

Error check_tools(const GenerationRequest& request) {
  const Json& choice = request.tool_choice;
  if (choice.is_null() || choice == "none" || choice == "auto") return std::nullopt;
  if (request.tools.is_null()) return named("tool_choice", "only with tools");
  if (choice.is_object() && !has_tool(request.tools, choice["function"]["name"])) {
    return named("tool_choice.function.name",
                 shown(choice["function"]["name"]) + " is none of the tools");
  }
  return std::nullopt;
}

/// One member of the request under two of its names: which of them would win?
Error check_names(const Field& field, std::vector<const Field*>& read) {
  const auto other = std::ranges::find(read, field.read, &Field::read);
  if (other != read.end()) {
    return named(std::string(field.name),
                 fmt::format("means the same as {}; one of the two is accepted", (*other)->name));
  }
  read.push_back(&field);
  return std::nullopt;
}

Error parse_into(Endpoint endpoint, const Json& body, Strictness strictness,
                 ParsedRequest& parsed) {
  for (const std::string_view name : info(endpoint).required) {
    const auto found = body.find(std::string(name));
    if (name.empty() || (found != body.end() && !found->is_null())) continue;
    return named(std::string(name), "missing; it is required");
  }
  std::vector<const Field*> read;
  for (const auto& [name, value] : body.items()) {
    const Field* const field = find_field(endpoint, name);
    if (!value.is_null()) parsed.names.insert(name);
    if (field != nullptr && field->read != nullptr && !value.is_null()) {
      if (Error error = check_names(*field, read)) return error;
    }
    Error error = field != nullptr ? read_field(*field, value, parsed)
                                   : read_unknown(endpoint, name, strictness, parsed);
    if (error.has_value()) return error;
  }
  if (Error error = check_together(endpoint, parsed.request, body)) return error;
  return check_tools(parsed.request);
}

}  // namespace

ParsedRequest parse_request(Endpoint endpoint, std::string_view body, Strictness strictness) {
  ParsedRequest parsed;
  const Result<Json> json = parse_strict_json(body, kJsonDepthMax);
  if (!json.ok()) {
    parsed.error = error_at({}, json.status().message());
  } else if (!json->is_object()) {
    parsed.error = error_at({}, shown(*json) + " was found; a JSON object is expected");
  } else {
    parsed.error = parse_into(endpoint, *json, strictness, parsed);
  }
  return parsed;
}

}  // namespace cairn::server
