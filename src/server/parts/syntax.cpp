#include "server/parts/syntax.h"

#include <algorithm>
#include <array>

namespace cairn::server {
namespace {

constexpr std::string_view kTool = "probe_tool";
constexpr std::string_view kReason = "probe_reason";

constexpr std::array kSyntaxes = {
    CallSyntax{"harmony", "<|channel|>", &make_harmony, nullptr, true},
    CallSyntax{"qwen_coder", "<parameter=", &make_qwen_coder},
    CallSyntax{"deepseek", "<｜tool▁call▁begin｜>", &make_deepseek, &deepseek_form},
    CallSyntax{"mistral", "[TOOL_CALLS]", &make_mistral, &mistral_form},
    CallSyntax{"functionary_32", ">>>probe_tool", &make_functionary_32, &functionary_32_form},
    CallSyntax{"functionary_31", "<function=", &make_functionary_31, &functionary_31_form},
    CallSyntax{"gemma", "<start_function_call>", &make_gemma},
    CallSyntax{"hermes", "<tool_call>", &make_hermes, &hermes_form},
    CallSyntax{"llama3", "{\"name\": \"probe_tool\", \"parameters\":", &make_llama3, &llama3_form},
};

constexpr std::array kThinkMarkers = {ThinkMarkers{"<think>", "</think>"},
                                      ThinkMarkers{"[THINK]", "[/THINK]"},
                                      ThinkMarkers{"<|begin_of_thought|>", "<|end_of_thought|>"}};

Json probe_tools() {
  const Json parameters = {{"type", "object"},
                           {"properties", {{"probe_key", {{"type", "integer"}}}}},
                           {"required", Json::array({"probe_key"})}};
  return Json::array(
      {{{"type", "function"},
        {"function", {{"name", kTool}, {"description", "Probes."}, {"parameters", parameters}}}}});
}

Json user_message() { return {{"role", "user"}, {"content", "probe"}}; }

Json calling_message() {
  const Json function = {{"name", kTool}, {"arguments", {{"probe_key", 1}}}};
  return {{"role", "assistant"},
          {"content", ""},
          {"reasoning_content", kReason},
          {"tool_calls",
           Json::array({{{"id", "abcdefghi"}, {"type", "function"}, {"function", function}}})}};
}

Json result_message() {
  return {{"role", "tool"}, {"tool_call_id", "abcdefghi"}, {"name", kTool}, {"content", "1"}};
}

/// What the template makes of a conversation; empty where it refuses.
std::string rendered(const runtime::Runtime& model, const Json& messages, const Json& variables) {
  runtime::ChatPrompt prompt{.messages = messages, .tools = probe_tools()};
  prompt.variables = variables;
  const Result<std::string> text = model.render(prompt);
  return text.ok() ? *text : std::string();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::span<const CallSyntax> call_syntaxes() { return kSyntaxes; }

const CallSyntax* find_call_syntax(std::string_view name) {
  const auto* const found = std::ranges::find(kSyntaxes, name, &CallSyntax::name);
  return found == kSyntaxes.end() ? nullptr : found;
}

Syntax syntax_of(const runtime::Runtime& model) {
  Syntax syntax;
  const Json question = Json::array({user_message()});
  const std::string asked = rendered(model, question, Json::object());
  const std::string quiet = rendered(model, question, {{"enable_thinking", false}});
  const std::string called = rendered(
      model, Json::array({user_message(), calling_message(), result_message()}), Json::object());
  syntax.takes_tools = contains(asked, kTool);
  for (const CallSyntax& row : kSyntaxes) {
    if (syntax.calls == nullptr && contains(called, row.marker)) syntax.calls = &row;
  }
  for (const ThinkMarkers& markers : kThinkMarkers) {
    if (syntax.think) break;
    const bool past = contains(called, markers.open) && contains(called, kReason);
    if (past || contains(asked, markers.open) || contains(quiet, markers.open)) {
      syntax.think = markers;
    }
  }
  if (syntax.calls != nullptr && syntax.calls->has_reasoning) syntax.think.reset();
  return syntax;
}

}  // namespace cairn::server
