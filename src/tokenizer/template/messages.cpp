#include "tokenizer/template/messages.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace cairn::tokenizer {
namespace {

Result<Json> parsed_arguments(const Json& arguments) {
  if (arguments.is_object()) return arguments;
  if (arguments.is_null()) return Json::object();
  if (!arguments.is_string()) {
    return invalid_argument(fmt::format(
        "tool call arguments are {}, expected an object or its JSON text", arguments.type_name()));
  }
  const auto& text = arguments.get_ref<const std::string&>();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return Json::object();
  auto parsed = parse_json(text);
  if (!parsed.ok()) return parsed.status().in("tool call arguments");
  if (parsed->is_null()) return Json::object();
  if (!parsed->is_object()) {
    return invalid_argument(
        fmt::format("tool call arguments are {}, expected an object", parsed->type_name()));
  }
  return parsed;
}

Status normalize_calls(Json& calls) {
  if (!calls.is_array()) return invalid_argument("tool_calls is not an array");
  for (Json& call : calls) {
    if (!call.is_object()) return invalid_argument("a tool call is not an object");
    Json& function = call.contains("function") ? call["function"] : call;
    if (!function.is_object()) return invalid_argument("a tool call's function is not an object");
    const Json given = function.contains("arguments") ? function["arguments"] : Json();
    CAIRN_ASSIGN(function["arguments"], parsed_arguments(given));
  }
  return {};
}

Result<Json> normalize_message(const Json& message, const MessageOptions& options) {
  if (!message.is_object()) return invalid_argument("it is not an object");
  if (!message.contains("role") || !message["role"].is_string()) {
    return invalid_argument("it has no role that is a string");
  }
  Json out = Json::object();
  for (const auto& [key, value] : message.items()) {
    if (!value.is_null()) out[key] = value;
  }
  if (!out.contains("content") && options.content == AbsentContent::kAsEmpty) out["content"] = "";
  if (out["role"] == "developer" && options.developer == DeveloperRole::kAsSystem) {
    out["role"] = "system";
  }
  if (out.contains("tool_calls")) CAIRN_TRY(normalize_calls(out["tool_calls"]));
  return out;
}

bool is_system_text(const Json& message) {
  return message["role"] == "system" && message.contains("content") &&
         message["content"].is_string();
}

/// All system texts as one message in front, in their order.
Json merged_systems(Json messages) {
  Json rest = Json::array();
  Json first;
  for (Json& message : messages) {
    if (!is_system_text(message)) {
      rest.push_back(std::move(message));
    } else if (first.is_null()) {
      first = std::move(message);
    } else {
      first["content"] = first["content"].get_ref<const std::string&>() + "\n\n" +
                         message["content"].get_ref<const std::string&>();
    }
  }
  if (!first.is_null()) rest.insert(rest.begin(), std::move(first));
  return rest;
}

}  // namespace

Result<Json> normalize_messages(const Json& messages, const MessageOptions& options) {
  if (!messages.is_array()) return invalid_argument("messages is not an array");
  Json out = Json::array();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    auto message = normalize_message(messages[i], options);
    if (!message.ok()) return message.status().in(fmt::format("messages[{}]", i));
    out.push_back(std::move(message).value());
  }
  return options.system == SystemMessages::kMerge ? merged_systems(std::move(out)) : out;
}

}  // namespace cairn::tokenizer
