// Readers of Anthropic's shapes, into the members that OpenAI's fields fill too.
#include <array>

#include "server/wire/reading.h"

namespace cairn::server {
namespace {

constexpr std::size_t kBlocksMax = 4096;

/// The text of a text block. Fault: any other block.
Fault block_text(const Json& block, const std::string& path, std::string& text) {
  if (!block.is_object()) return wrong(block, "a block, an object with a type", path);
  if (member(block, "type") != "text") {
    return fault(fmt::format("blocks of type {} are not supported here; text is",
                             shown(member(block, "type"))),
                 path + ".type");
  }
  if (!member(block, "text").is_string()) {
    return wrong(member(block, "text"), "a text", path + ".text");
  }
  if (!text.empty()) text += '\n';
  text += member(block, "text").get_ref<const std::string&>();
  return std::nullopt;
}

/// A text, or text blocks, as one text; nothing is an empty one.
Fault texts_of(const Json& value, const std::string& path, std::string& text) {
  if (value.is_null()) return std::nullopt;
  if (value.is_string()) {
    text = value.get<std::string>();
    return std::nullopt;
  }
  if (!value.is_array() || value.size() > kBlocksMax) {
    return wrong(value, "a text or an array of at most 4096 blocks", path);
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (Fault bad = block_text(value[i], fmt::format("{}[{}]", path, i), text)) return bad;
  }
  return std::nullopt;
}

/// What the blocks of one message add up to.
struct Turn {
  std::string text = {};
  std::string reasoning = {};
  Json calls = Json::array();
  Json results = Json::array();  // messages of the role tool
};

Fault read_tool_use(const Json& block, const std::string& path, Turn& turn) {
  if (!is_function_name(member(block, "name"))) {
    return wrong(member(block, "name"), "the name of a tool", path + ".name");
  }
  const Json& id = member(block, "id");
  if (!id.is_string()) return wrong(id, "a text", path + ".id");
  const Json& input = member(block, "input");
  if (!input.is_null() && !input.is_object()) return wrong(input, "an object", path + ".input");
  const Json arguments = input.is_null() ? Json::object() : input;
  turn.calls.push_back({{"id", id},
                        {"type", "function"},
                        {"function", {{"name", block["name"]}, {"arguments", arguments}}}});
  return std::nullopt;
}

Fault read_tool_result(const Json& block, const std::string& path, Turn& turn) {
  const Json& id = member(block, "tool_use_id");
  if (!id.is_string()) return wrong(id, "a text", path + ".tool_use_id");
  std::string text;
  if (Fault bad = texts_of(member(block, "content"), path + ".content", text)) return bad;
  turn.results.push_back({{"role", "tool"}, {"tool_call_id", id}, {"content", text}});
  return std::nullopt;
}

Fault read_block(const Json& block, const std::string& path, const Json& role, Turn& turn) {
  if (!block.is_object()) return wrong(block, "a block, an object with a type", path);
  const Json& type = member(block, "type");
  if (type == "tool_use" && role == "assistant") return read_tool_use(block, path, turn);
  if (type == "tool_result" && role == "user") return read_tool_result(block, path, turn);
  if (type == "redacted_thinking" && role == "assistant") return std::nullopt;
  if (type != "thinking" || role != "assistant") return block_text(block, path, turn.text);
  if (!member(block, "thinking").is_string()) {
    return wrong(member(block, "thinking"), "a text", path + ".thinking");
  }
  turn.reasoning += block["thinking"].get_ref<const std::string&>();
  return std::nullopt;
}

Fault read_turn(const Json& message, const std::string& path, Turn& turn) {
  const Json& content = member(message, "content");
  if (content.is_string()) {
    turn.text = content.get<std::string>();
    return std::nullopt;
  }
  if (!content.is_array() || content.size() > kBlocksMax) {
    return wrong(content, "a text or an array of at most 4096 blocks", path + ".content");
  }
  for (std::size_t i = 0; i < content.size(); ++i) {
    const std::string at = fmt::format("{}.content[{}]", path, i);
    if (Fault bad = read_block(content[i], at, message["role"], turn)) return bad;
  }
  return std::nullopt;
}

void add_turn(const Json& role, Turn turn, Json& messages) {
  for (Json& result : turn.results) messages.push_back(std::move(result));
  const bool only_results = !turn.results.empty() && turn.text.empty();
  if (only_results) return;
  Json message = {{"role", role}, {"content", std::move(turn.text)}};
  if (!turn.reasoning.empty()) message["reasoning_content"] = std::move(turn.reasoning);
  if (!turn.calls.empty()) message["tool_calls"] = std::move(turn.calls);
  messages.push_back(std::move(message));
}

Fault check_anthropic_tool(const Json& tool, const std::string& path) {
  if (!tool.is_object()) return wrong(tool, "an object", path);
  const Json& type = member(tool, "type");
  if (!type.is_null() && type != "custom") {
    return fault(fmt::format("tools of type {} run elsewhere; custom is expected", shown(type)),
                 path + ".type");
  }
  if (!is_function_name(member(tool, "name"))) {
    return wrong(member(tool, "name"), "a name of 1 to 128 letters, digits or _-.:/",
                 path + ".name");
  }
  const Json& description = member(tool, "description");
  if (!description.is_null() && !description.is_string()) {
    return wrong(description, "a text", path + ".description");
  }
  const Json& schema = member(tool, "input_schema");
  if (!schema.is_object()) return wrong(schema, "a JSON Schema object", path + ".input_schema");
  return std::nullopt;
}

}  // namespace

Fault read_anthropic_messages(const Field& /*field*/, const Json& value,
                              GenerationRequest& request) {
  if (!value.is_array() || value.empty()) return wrong(value, "an array of at least one message");
  if (value.size() > kMessagesMax) {
    return fault(fmt::format("{} messages; at most {} are accepted", value.size(), kMessagesMax));
  }
  request.messages = Json::array();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string path = fmt::format("[{}]", i);
    if (!value[i].is_object()) return wrong(value[i], "an object with role and content", path);
    const Json& role = member(value[i], "role");
    if (role != "user" && role != "assistant" && role != "system") {
      return wrong(role, "user or assistant", path + ".role");
    }
    Turn turn;
    if (Fault bad = read_turn(value[i], path, turn)) return bad;
    add_turn(role, std::move(turn), request.messages);
  }
  return std::nullopt;
}

Fault read_anthropic_system(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  return texts_of(value, {}, request.system);
}

Fault read_anthropic_tools(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_array()) return wrong(value, "an array of tools");
  if (value.size() > kToolsMax) {
    return fault(fmt::format("{} tools; at most {} are accepted", value.size(), kToolsMax));
  }
  Json tools = Json::array();
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (Fault bad = check_anthropic_tool(value[i], fmt::format("[{}]", i))) return bad;
    Json function = {{"name", value[i]["name"]}};
    const Json& description = member(value[i], "description");
    if (!description.is_null()) function["description"] = description;
    function["parameters"] = value[i]["input_schema"];
    const Json& strict = member(value[i], "strict");
    if (!strict.is_null() && !strict.is_boolean()) {
      return wrong(strict, "true or false", fmt::format("[{}].strict", i));
    }
    if (!strict.is_null()) function["strict"] = strict;
    tools.push_back({{"type", "function"}, {"function", std::move(function)}});
  }
  if (!tools.empty()) request.tools = std::move(tools);
  return std::nullopt;
}

Fault read_anthropic_tool_choice(const Field& /*field*/, const Json& value,
                                 GenerationRequest& request) {
  if (!value.is_object()) return wrong(value, "an object with a type");
  const Json& parallel = member(value, "disable_parallel_tool_use");
  if (!parallel.is_null() && !parallel.is_boolean()) {
    return wrong(parallel, "true or false", ".disable_parallel_tool_use");
  }
  if (parallel == true) request.parallel_tool_calls = false;
  const Json& type = member(value, "type");
  if (type == "auto" || type == "none") {
    request.tool_choice = type;
  } else if (type == "any") {
    request.tool_choice = "required";
  } else if (type != "tool") {
    return wrong(type, "auto, any, tool or none", ".type");
  } else if (!is_function_name(member(value, "name"))) {
    return wrong(member(value, "name"), "the name of a tool", ".name");
  } else {
    request.tool_choice = {{"type", "function"}, {"function", {{"name", value["name"]}}}};
  }
  return std::nullopt;
}

Fault read_anthropic_thinking(const Field& /*field*/, const Json& value,
                              GenerationRequest& request) {
  if (!value.is_object()) return wrong(value, "an object with a type");
  const Json& type = member(value, "type");
  if (type != "enabled" && type != "adaptive" && type != "disabled") {
    return wrong(type, "enabled, adaptive or disabled", ".type");
  }
  request.thinking = type != "disabled";
  return std::nullopt;
}

}  // namespace cairn::server
