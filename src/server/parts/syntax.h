// Syntax: how a model writes calls and reasoning, found out from its chat template.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/runtime.h"
#include "server/parts/answer_parser.h"
#include "server/parts/parsers.h"

namespace cairn::server {

/// One row per syntax of calls.
struct CallSyntax {
  std::string_view name = {};
  std::string_view marker = {};  // stands in a prompt that shows a past call
  std::unique_ptr<AnswerParser> (*make)(const Json& tools) = nullptr;
  MakeCallForm form = nullptr;  // null: calls cannot be kept to schemas yet
  bool has_reasoning = false;   // its parser tells reasoning apart itself
};

/// Every row, in the order in which they are tried.
std::span<const CallSyntax> call_syntaxes();

/// What is known of a model.
struct Syntax {
  bool takes_tools = false;           // the template shows tools to the model
  const CallSyntax* calls = nullptr;  // null: its calls cannot be told from text
  std::optional<ThinkMarkers> think = {};
};

/// Shows the template a made-up conversation and looks at what it writes. A template that refuses
/// it, or none, gives an empty Syntax.
Syntax syntax_of(const runtime::Runtime& model);

/// The row of that name; null for none.
const CallSyntax* find_call_syntax(std::string_view name);

}  // namespace cairn::server
