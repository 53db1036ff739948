// Readers of what OpenAI's Responses bring, into the members that a chat's fields fill.
#include <algorithm>
#include <array>

#include "server/wire/reading.h"

namespace cairn::server {
namespace {

constexpr std::size_t kItemsMax = 4096;

/// A text, or parts of text, as one text.
Fault text_of(const Json& value, const std::string& path, std::string& text) {
  if (value.is_string()) {
    text = value.get<std::string>();
    return std::nullopt;
  }
  if (!value.is_array()) return wrong(value, "a text or an array of parts", path);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", path, i);
    if (!value[i].is_object()) return wrong(value[i], "an object with a type", at);
    const Json& type = member(value[i], "type");
    constexpr std::array<std::string_view, 4> kTypes = {"input_text", "output_text", "text",
                                                        "reasoning_text"};
    const bool known = std::ranges::any_of(kTypes, [&](auto each) { return type == each; });
    if (!known && type != "refusal") {
      return fault(fmt::format("parts of type {} are not supported: no model here takes more than "
                               "text",
                               shown(type)),
                   at + ".type");
    }
    const char* const key = known ? "text" : "refusal";
    const Json& part = member(value[i], key);
    if (!part.is_string()) return wrong(part, "a text", fmt::format("{}.{}", at, key));
    if (!text.empty()) text += '\n';
    text += part.get_ref<const std::string&>();
  }
  return std::nullopt;
}

/// Items on their way into messages: reasoning waits for what the assistant says behind it.
class ItemReader {
 public:
  Fault add(const Json& item, const std::string& path) {
    if (!item.is_object()) return wrong(item, "an object with a type", path);
    const Json& type = member(item, "type");
    if (type == "message" || (type.is_null() && item.contains("role"))) {
      return add_message(item, path);
    }
    if (type == "function_call") return add_call(item, path);
    if (type == "function_call_output") return add_output(item, path);
    if (type == "reasoning") return add_reasoning(item, path);
    return fault(fmt::format("items of type {} are not supported; message, function_call, "
                             "function_call_output and reasoning are",
                             shown(type)),
                 path + ".type");
  }

  Json finish() {
    end_reasoning();
    return std::move(messages_);
  }

 private:
  Fault add_message(const Json& item, const std::string& path) {
    constexpr std::array<std::string_view, 4> kRoles = {"user", "assistant", "system", "developer"};
    const Json& role = member(item, "role");
    if (std::ranges::none_of(kRoles, [&](auto each) { return role == each; })) {
      return wrong(role, "user, assistant, system or developer", path + ".role");
    }
    std::string text;
    if (Fault bad = text_of(member(item, "content"), path + ".content", text)) return bad;
    if (role != "assistant") end_reasoning();
    push({{"role", role}, {"content", std::move(text)}});
    return std::nullopt;
  }

  Fault add_call(const Json& item, const std::string& path) {
    const Json& id = member(item, "call_id");
    if (!id.is_string()) return wrong(id, "a text", path + ".call_id");
    if (!is_function_name(member(item, "name"))) {
      return wrong(member(item, "name"), "the name of a tool", path + ".name");
    }
    const Json& arguments = member(item, "arguments");
    const Result<Json> object = arguments.is_string()
                                    ? parse_json(arguments.get_ref<const std::string&>())
                                    : Result<Json>(Json());
    if (!object.ok() || !object->is_object()) {
      return wrong(arguments, "a JSON object as a text", path + ".arguments");
    }
    const bool joins =
        reasoning_.empty() && !messages_.empty() && messages_.back()["role"] == "assistant";
    if (!joins) push({{"role", "assistant"}, {"content", ""}});
    messages_.back()["tool_calls"].push_back(
        {{"id", id},
         {"type", "function"},
         {"function", {{"name", item["name"]}, {"arguments", arguments}}}});
    return std::nullopt;
  }

  Fault add_output(const Json& item, const std::string& path) {
    const Json& id = member(item, "call_id");
    if (!id.is_string()) return wrong(id, "a text", path + ".call_id");
    std::string text;
    if (Fault bad = text_of(member(item, "output"), path + ".output", text)) return bad;
    end_reasoning();
    push({{"role", "tool"}, {"tool_call_id", id}, {"content", std::move(text)}});
    return std::nullopt;
  }

  Fault add_reasoning(const Json& item, const std::string& path) {
    const Json& content = member(item, "content");
    if (content.is_null()) return std::nullopt;
    return text_of(content, path + ".content", reasoning_);
  }

  void push(Json message) {
    if (!reasoning_.empty()) message["reasoning_content"] = std::exchange(reasoning_, {});
    messages_.push_back(std::move(message));
  }

  /// Reasoning that nothing followed is a message of its own.
  void end_reasoning() {
    if (!reasoning_.empty()) push({{"role", "assistant"}, {"content", ""}});
  }

  Json messages_ = Json::array();
  std::string reasoning_;
};

}  // namespace

Fault read_encoding_format(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (value != "float" && value != "base64") return wrong(value, "float or base64");
  request.encoding_format = value.get<std::string>();
  return std::nullopt;
}

Fault read_response_input(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  Json items = value;
  if (value.is_string()) {
    items = Json::array({{{"type", "message"},
                          {"role", "user"},
                          {"content", Json::array({{{"type", "input_text"}, {"text", value}}})}}});
  }
  if (!items.is_array() || items.empty()) return wrong(value, "a text or an array of items");
  if (items.size() > kItemsMax) {
    return fault(fmt::format("{} items; at most {} are accepted", items.size(), kItemsMax));
  }
  ItemReader reader;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (Fault bad = reader.add(items[i], fmt::format("[{}]", i))) return bad;
    if (!items[i].contains("type")) items[i]["type"] = "message";
    if (!member(items[i], "id").is_string()) items[i]["id"] = fmt::format("item_{}", i);
  }
  request.messages = reader.finish();
  request.input_items = std::move(items);
  return std::nullopt;
}

Fault read_instructions(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_string()) return wrong(value, "a text");
  request.system = value.get<std::string>();
  return std::nullopt;
}

Fault read_response_tools(const Field& field, const Json& value, GenerationRequest& request) {
  if (!value.is_array()) return wrong(value, "an array of tools");
  Json tools = Json::array();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string path = fmt::format("[{}]", i);
    if (!value[i].is_object()) return wrong(value[i], "an object", path);
    if (member(value[i], "type") != "function") {
      return fault(fmt::format("tools of type {} run elsewhere; function is expected",
                               shown(member(value[i], "type"))),
                   path + ".type");
    }
    Json function = value[i];
    function.erase("type");
    tools.push_back({{"type", "function"}, {"function", std::move(function)}});
  }
  Fault bad = read_tools(field, tools, request);
  // The path of a chat's tool has one step more.
  constexpr std::string_view kStep = ".function";
  if (bad && bad->path.find(kStep) != std::string::npos) {
    bad->path.erase(bad->path.find(kStep), kStep.size());
  }
  return bad;
}

Fault read_response_tool_choice(const Field& field, const Json& value, GenerationRequest& request) {
  if (!value.is_object()) return read_tool_choice(field, value, request);
  if (member(value, "type") != "function") {
    return wrong(member(value, "type"), "\"function\"", ".type");
  }
  if (!is_function_name(member(value, "name"))) {
    return wrong(member(value, "name"), "the name of a tool", ".name");
  }
  request.tool_choice = {{"type", "function"}, {"function", {{"name", value["name"]}}}};
  return std::nullopt;
}

Fault read_response_text(const Field& field, const Json& value, GenerationRequest& request) {
  if (!value.is_object()) return wrong(value, "an object");
  const Json& verbosity = member(value, "verbosity");
  if (!verbosity.is_null() && verbosity != "medium") {
    return fault("not supported: the model says as much as it says", ".verbosity");
  }
  const Json& format = member(value, "format");
  if (format.is_null()) return std::nullopt;
  if (!format.is_object()) return wrong(format, "an object with a type", ".format");
  Json nested = {{"type", member(format, "type")}};
  if (nested["type"] == "json_schema") {
    nested["json_schema"] = format;
    nested["json_schema"].erase("type");
  }
  Fault bad = read_response_format(field, nested, request);
  if (!bad) return bad;
  constexpr std::string_view kStep = ".json_schema";
  if (bad->path.starts_with(kStep)) bad->path.erase(0, kStep.size());
  bad->path.insert(0, ".format");
  return bad;
}

Fault read_response_reasoning(const Field& field, const Json& value, GenerationRequest& request) {
  if (!value.is_object()) return wrong(value, "an object");
  for (const char* const name : {"summary", "generate_summary"}) {
    const Json& summary = member(value, name);
    if (summary.is_null() || summary == "auto") continue;
    return fault("not supported: reasoning is told whole, and auto passes",
                 fmt::format(".{}", name));
  }
  const Json& effort = member(value, "effort");
  if (effort.is_null()) return std::nullopt;
  Fault bad = read_reasoning_effort(field, effort, request);
  if (bad) bad->path.insert(0, ".effort");
  return bad;
}

Fault read_response_include(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_array()) return wrong(value, "an array of texts");
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == "message.output_text.logprobs") {
      request.logprobs = 0;
    } else if (value[i] != "reasoning.encrypted_content") {
      return wrong(value[i], "message.output_text.logprobs or reasoning.encrypted_content",
                   fmt::format("[{}]", i));
    }
  }
  return std::nullopt;
}

}  // namespace cairn::server
