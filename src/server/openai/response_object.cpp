#include "server/openai/response_object.h"

namespace cairn::server {
namespace {

template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// A chat's tools as Responses write them: without the step into the function.
Json flat_tools(const Json& tools) {
  Json flat = Json::array();
  if (!tools.is_array()) return flat;
  for (const Json& tool : tools) {
    Json entry = {{"type", "function"},
                  {"name", nullptr},
                  {"description", nullptr},
                  {"parameters", nullptr},
                  {"strict", nullptr}};
    entry.update(tool["function"]);
    flat.push_back(std::move(entry));
  }
  return flat;
}

Json flat_choice(const Json& choice) {
  if (choice.is_null()) return "auto";
  if (!choice.is_object()) return choice;
  return {{"type", "function"}, {"name", choice["function"]["name"]}};
}

Json text_format(const Json& format) {
  if (format.is_null()) return {{"type", "text"}};
  Json flat = {{"type", format["type"]}};
  if (format.contains("json_schema")) flat.update(format["json_schema"]);
  return flat;
}

}  // namespace

Json response_object(const ReplyHead& head, const GenerationRequest& request) {
  Json object = {
      {"id", head.id},
      {"object", "response"},
      {"created_at", head.created_s},
      {"completed_at", nullptr},
      {"status", "in_progress"},
      {"background", false},
      {"error", nullptr},
      {"incomplete_details", nullptr},
      {"model", head.model},
      {"output", Json::array()},
      {"usage", nullptr},
      {"instructions", request.system.empty() ? Json() : Json(request.system)},
      {"previous_response_id", value_or_null(request.previous_response_id)},
      {"max_output_tokens", value_or_null(request.max_tokens)},
      {"temperature", value_or_null(request.temperature)},
      {"top_p", value_or_null(request.top_p)},
      {"top_logprobs", request.top_logprobs.value_or(0)},
      {"tools", flat_tools(request.tools)},
      {"tool_choice", flat_choice(request.tool_choice)},
      {"parallel_tool_calls", request.parallel_tool_calls.value_or(true)},
      {"text", {{"format", text_format(request.response_format)}, {"verbosity", "medium"}}},
      {"reasoning", {{"effort", value_or_null(request.reasoning_effort)}, {"summary", nullptr}}},
      {"store", request.store.value_or(true)},
      {"truncation", "disabled"}};
  object["metadata"] = request.metadata.is_null() ? Json::object() : request.metadata;
  if (!head.ignored_fields.empty()) object["ignored_fields"] = head.ignored_fields;
  if (!head.effective_params.is_null()) object["effective_params"] = head.effective_params;
  return object;
}

Json response_usage(const Usage& usage) {
  return {
      {"input_tokens", usage.prompt_tokens},
      {"input_tokens_details", {{"cached_tokens", usage.cached_tokens}, {"cache_write_tokens", 0}}},
      {"output_tokens", usage.completion_tokens},
      {"output_tokens_details", {{"reasoning_tokens", usage.reasoning_tokens}}},
      {"total_tokens", usage.prompt_tokens + usage.completion_tokens}};
}

}  // namespace cairn::server
