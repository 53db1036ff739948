// Readers of what a request brings: prompts, messages, tools, the format of the answer.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "server/wire/reading.h"

namespace cairn::server {
namespace {

Fault read_ids(const Json& value, const std::string& path, std::vector<std::int64_t>& ids) {
  ids.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::optional<std::int64_t> id = token_id(value[i]);
    if (!id.has_value()) {
      return wrong(value[i], "a token id, 0 to 2147483647", fmt::format("{}[{}]", path, i));
    }
    ids.push_back(*id);
  }
  return std::nullopt;
}

Fault check_part(const Json& part, const std::string& path) {
  if (!part.is_object()) return wrong(part, "an object with a type", path);
  const Json& type = member(part, "type");
  if (!type.is_string()) return wrong(type, "the type of the part, a text", path + ".type");
  const auto& name = type.get_ref<const std::string&>();
  const bool text = name == "text" || name == "input_text" || name == "output_text";
  const char* const key = text ? "text" : (name == "thinking" ? "thinking" : "refusal");
  if (!text && name != "thinking" && name != "refusal") {
    return fault(fmt::format("parts of type {} are not supported: no model here takes more than "
                             "text",
                             shown(type)),
                 path + ".type");
  }
  const Json& content = member(part, key);
  if (!content.is_string()) return wrong(content, "a text", path + "." + key);
  return std::nullopt;
}

Fault check_content(const Json& message, const std::string& path) {
  const Json& content = member(message, "content");
  if (content.is_string()) return std::nullopt;
  if (content.is_null()) {
    if (member(message, "role") == "assistant") return std::nullopt;
    return wrong(content, "a text or an array of parts", path + ".content");
  }
  if (!content.is_array()) {
    return wrong(content, "a text or an array of parts", path + ".content");
  }
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (Fault bad = check_part(content[i], fmt::format("{}.content[{}]", path, i))) return bad;
  }
  return std::nullopt;
}

Fault check_calls(const Json& message, const std::string& path) {
  const Json& calls = member(message, "tool_calls");
  if (calls.is_null()) return std::nullopt;
  if (!calls.is_array()) return wrong(calls, "an array of calls", path + ".tool_calls");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string call_path = fmt::format("{}.tool_calls[{}]", path, i);
    if (!calls[i].is_object()) return wrong(calls[i], "an object", call_path);
    const Json& function = member(calls[i], "function");
    if (!function.is_object()) return wrong(function, "an object", call_path + ".function");
    if (!member(function, "name").is_string()) {
      return wrong(member(function, "name"), "a text", call_path + ".function.name");
    }
    const Json& arguments = member(function, "arguments");
    if (!arguments.is_null() && !arguments.is_string() && !arguments.is_object()) {
      return wrong(arguments, "JSON as a text, or an object", call_path + ".function.arguments");
    }
    if (!arguments.is_string() || arguments.get_ref<const std::string&>().empty()) continue;
    const Result<Json> object = parse_json(arguments.get_ref<const std::string&>());
    if (!object.ok() || !object->is_object()) {
      return wrong(arguments, "a JSON object as a text", call_path + ".function.arguments");
    }
  }
  return std::nullopt;
}

Fault check_message(const Json& message, const std::string& path) {
  constexpr std::array<std::string_view, 6> kRoles = {"system",    "developer", "user",
                                                      "assistant", "tool",      "function"};
  if (!message.is_object()) return wrong(message, "an object with role and content", path);
  const Json& role = member(message, "role");
  if (std::ranges::none_of(kRoles, [&](std::string_view each) { return role == each; })) {
    return wrong(role, "system, developer, user, assistant or tool", path + ".role");
  }
  for (const char* const name : {"name", "tool_call_id", "reasoning", "reasoning_content"}) {
    const Json& text = member(message, name);
    if (!text.is_null() && !text.is_string()) return wrong(text, "a text", path + "." + name);
  }
  if (Fault bad = check_content(message, path)) return bad;
  return check_calls(message, path);
}

/// The schema of a response_format: OpenAI's clients send it as json_schema.schema, llama.cpp's
/// beside the type. Null where there is none.
Fault read_format_schema(const Json& format, Json& schema) {
  const Json& wrapped = member(format, "json_schema");
  const Json& beside = member(format, "schema");
  if (wrapped.is_null()) {
    if (!beside.is_null() && !beside.is_object()) {
      return wrong(beside, "a JSON Schema object", ".schema");
    }
    schema = beside;
    return std::nullopt;
  }
  if (!wrapped.is_object()) return wrong(wrapped, "an object with a schema", ".json_schema");
  if (!beside.is_null()) {
    return fault("a schema stands here and in json_schema; one of the two is accepted", ".schema");
  }
  if (!member(wrapped, "schema").is_object()) {
    return wrong(member(wrapped, "schema"), "a JSON Schema object", ".json_schema.schema");
  }
  schema = wrapped["schema"];
  return std::nullopt;
}

Fault check_tool(const Json& tool, const std::string& path) {
  if (!tool.is_object()) return wrong(tool, "an object", path);
  if (member(tool, "type") != "function") {
    return wrong(member(tool, "type"), "\"function\"", path + ".type");
  }
  const Json& function = member(tool, "function");
  if (!function.is_object()) return wrong(function, "an object", path + ".function");
  if (!is_function_name(member(function, "name"))) {
    return wrong(member(function, "name"), "a name of 1 to 128 letters, digits or _-.:/",
                 path + ".function.name");
  }
  const Json& description = member(function, "description");
  if (!description.is_null() && !description.is_string()) {
    return wrong(description, "a text", path + ".function.description");
  }
  const Json& parameters = member(function, "parameters");
  if (!parameters.is_null() && !parameters.is_object()) {
    return wrong(parameters, "a JSON Schema object", path + ".function.parameters");
  }
  const Json& strict = member(function, "strict");
  if (!strict.is_null() && !strict.is_boolean()) {
    return wrong(strict, "true or false", path + ".function.strict");
  }
  return std::nullopt;
}

}  // namespace

const Json& member(const Json& object, const char* name) {
  static const Json kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

bool is_function_name(const Json& value) {
  if (!value.is_string()) return false;
  const auto& name = value.get_ref<const std::string&>();
  return !name.empty() && name.size() <= 128 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == ':' || c == '/';
  });
}

Fault read_prompt(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  constexpr std::string_view kExpected = "a text, an array of texts, of ids, or of arrays of ids";
  if (value.is_string()) {
    request.prompts = {value.get<std::string>()};
    return std::nullopt;
  }
  if (!value.is_array() || value.empty()) return wrong(value, kExpected, {});
  if (value[0].is_number()) {
    std::vector<std::int64_t> ids;
    if (Fault bad = read_ids(value, {}, ids)) return bad;
    request.prompts = {std::move(ids)};
    return std::nullopt;
  }
  if (value.size() > kPromptsMax) {
    return fault(fmt::format("{} prompts; at most {} are accepted", value.size(), kPromptsMax), {});
  }
  request.prompt_is_list = true;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string path = fmt::format("[{}]", i);
    if (value[i].is_string() && value[0].is_string()) {
      request.prompts.emplace_back(value[i].get<std::string>());
    } else if (value[i].is_array() && value[0].is_array() && !value[i].empty()) {
      std::vector<std::int64_t> ids;
      if (Fault bad = read_ids(value[i], path, ids)) return bad;
      request.prompts.emplace_back(std::move(ids));
    } else {
      return wrong(value[i], kExpected, path);
    }
  }
  return std::nullopt;
}

Fault read_detokenized(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_array()) return wrong(value, "an array of token ids", {});
  return read_ids(value, {}, request.tokens);
}

Fault read_messages(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_array() || value.empty()) {
    return wrong(value, "an array of at least one message", {});
  }
  if (value.size() > kMessagesMax) {
    return fault(fmt::format("{} messages; at most {} are accepted", value.size(), kMessagesMax),
                 {});
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (Fault bad = check_message(value[i], fmt::format("[{}]", i))) return bad;
  }
  request.messages = value;
  return std::nullopt;
}

Fault read_response_format(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_object()) return wrong(value, "an object with a type", {});
  const Json& type = member(value, "type");
  if (type != "text" && type != "json_object" && type != "json_schema") {
    return wrong(type, "text, json_object or json_schema", ".type");
  }
  if (type == "json_schema" || type == "json_object") {
    if (Fault bad = read_format_schema(value, request.answer_schema)) return bad;
  }
  if (type == "json_schema" && request.answer_schema.is_null()) {
    return wrong(member(value, "json_schema"), "an object with a schema", ".json_schema");
  }
  request.response_format = value;
  return std::nullopt;
}

Fault read_guided_json(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  // vLLM takes the schema as a text too.
  const Result<Json> schema =
      value.is_string() ? parse_json(value.get_ref<const std::string&>()) : Result<Json>(value);
  if (!schema.ok() || !schema->is_object()) return wrong(value, "a JSON Schema object");
  if (!schema->empty()) request.answer_schema = *schema;  // {} is llama.cpp's word for none
  return std::nullopt;
}

Fault read_tools(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_array()) return wrong(value, "an array of tools", {});
  if (value.size() > kToolsMax) {
    return fault(fmt::format("{} tools; at most {} are accepted", value.size(), kToolsMax), {});
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (Fault bad = check_tool(value[i], fmt::format("[{}]", i))) return bad;
  }
  if (!value.empty()) request.tools = value;
  return std::nullopt;
}

Fault read_tool_choice(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  constexpr std::string_view kExpected = "none, auto, required, or an object that names a function";
  const bool word = value == "none" || value == "auto" || value == "required";
  if (!word && !value.is_object()) return wrong(value, kExpected, {});
  if (value.is_object()) {
    if (member(value, "type") != "function") {
      return wrong(member(value, "type"), "\"function\"", ".type");
    }
    const Json& function = member(value, "function");
    if (!function.is_object()) return wrong(function, "an object", ".function");
    if (!is_function_name(member(function, "name"))) {
      return wrong(member(function, "name"), "the name of a tool", ".function.name");
    }
  }
  request.tool_choice = value;
  return std::nullopt;
}

}  // namespace cairn::server
