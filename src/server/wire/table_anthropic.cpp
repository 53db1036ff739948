// Fields of Anthropic's Messages. Source: Anthropic's API reference, version 2023-06-01.
#include <array>

#include "server/wire/readers.h"

namespace cairn::server {
namespace {

using Request = GenerationRequest;

constexpr std::array kAnthropicRows = {
    Field{.name = "messages",
          .endpoints = kBothAnthropic,
          .shape = Shape::kObjects,
          .read = &read_anthropic_messages,
          .sentence = "Required: user and assistant turns with text, thinking, tool_use and "
                      "tool_result blocks; at most 4,096."},
    Field{.name = "system",
          .endpoints = kBothAnthropic,
          .shape = Shape::kTextOrBlocks,
          .read = &read_anthropic_system,
          .sentence = "Stands before the messages."},
    Field{.name = "max_tokens",
          .endpoints = kMessagesOnly,
          .shape = Shape::kInteger,
          .min = 1,
          .max = 2147483647,
          .read = &read<&Request::max_tokens>,
          .sentence = "Required: most tokens of the answer."},
    Field{.name = "stop_sequences",
          .endpoints = kMessagesOnly,
          .shape = Shape::kTexts,
          .read = &read<&Request::stop>,
          .sentence = "At most 64 texts before which the answer ends; none may be empty."},
    Field{.name = "tools",
          .endpoints = kBothAnthropic,
          .shape = Shape::kObjects,
          .read = &read_anthropic_tools,
          .sentence = "Functions that may be called; at most 128."},
    Field{.name = "tool_choice",
          .endpoints = kBothAnthropic,
          .shape = Shape::kObject,
          .read = &read_anthropic_tool_choice,
          .sentence = "{type: auto, any, tool with a name, or none}; auto with tools."},
    Field{.name = "thinking",
          .endpoints = kBothAnthropic,
          .shape = Shape::kObject,
          .read = &read_anthropic_thinking,
          .sentence = "{type: enabled, adaptive or disabled}: the template's enable_thinking; "
                      "budget_tokens is not kept."},
    Field{.name = "cache_control",
          .endpoints = kBothAnthropic,
          .behaviour = Behaviour::kInert,
          .shape = Shape::kObject,
          .sentence = "Equal beginnings are found without it; usage says how much was."},
    Field{.name = "context_management",
          .endpoints = kBothAnthropic,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kObject,
          .sentence = "Messages are never dropped."},
    Field{.name = "output_config",
          .endpoints = kBothAnthropic,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kObject,
          .neutral = "{}",
          .sentence = "Neither effort nor a schema is supported here yet."},
    Field{.name = "container",
          .endpoints = kBothAnthropic,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kText,
          .sentence = "No code is run."},
    Field{.name = "mcp_servers",
          .endpoints = kBothAnthropic,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kObjects,
          .neutral = "[]",
          .sentence = "The server connects to nothing."},
};

}  // namespace

std::span<const Field> anthropic_fields() { return kAnthropicRows; }

}  // namespace cairn::server
