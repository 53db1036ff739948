#include "server/api/constraint.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/ascii.h"
#include "runtime/answer_form.h"
#include "server/api/generate.h"
#include "server/parts/call_form.h"

namespace cairn::server {
namespace {

using runtime::Grammar;
using runtime::GrammarNode;

bool is_strict(const Json& tool) {
  const auto strict = tool["function"].find("strict");
  return strict != tool["function"].end() && *strict == true;
}

bool must_call(const GenerationRequest& request) {
  return request.tool_choice == "required" || request.tool_choice.is_object();
}

/// Whether what the model may call is kept to anything.
bool constrains_calls(const GenerationRequest& request) {
  if (!offers_tools(request)) return false;
  if (must_call(request)) return true;
  return std::ranges::any_of(request.tools, is_strict);
}

/// The control token that a text is the name of; -1 where it is none.
TokenId control_token(const runtime::Runtime& model, std::string_view text) {
  if (text.empty()) return -1;
  const auto ids = model.encode(
      runtime::TextPrompt{.text = std::string(text), .start = runtime::StartToken::kNone});
  if (!ids.ok() || ids->size() != 1 || model.describe(ids->front()) != text) return -1;
  const Result<std::string> printed = model.decode(*ids);
  return printed.ok() && printed->empty() ? ids->front() : -1;
}

/// The tools that may be called. Schemas count where they were asked to: of strict tools, and of
/// all where a call is a must.
std::vector<FormTool> tools_of(const GenerationRequest& request) {
  std::vector<FormTool> tools;
  for (std::size_t i = 0; i < request.tools.size(); ++i) {
    const Json& function = request.tools[i]["function"];
    const bool named = request.tool_choice.is_object();
    if (named && request.tool_choice["function"]["name"] != function["name"]) continue;
    FormTool tool{.name = function["name"].get<std::string>()};
    tool.where = fmt::format("tools[{}].function '{}'", i, tool.name);
    const auto parameters = function.find("parameters");
    const bool counts = must_call(request) || is_strict(request.tools[i]);
    if (counts && parameters != function.end()) tool.parameters = *parameters;
    tools.push_back(std::move(tool));
  }
  return tools;
}

/// Builds the grammar of one request.
class Constraint {
 public:
  Constraint(const Api& api, const GenerationRequest& request) : api_(api), request_(request) {}

  std::optional<WireError> set(runtime::SamplingParams& sampling) {
    std::vector<GrammarNode> ways;
    if (!request_.answer_schema.is_null()) {
      const auto schema = runtime::add_json_schema(*grammar_, request_.answer_schema);
      if (!schema.ok()) return error_of(schema.status(), "response_format");
      ways.push_back(grammar_->padded(*schema));
    }
    if (offers_tools(request_) && (constrains_calls(request_) || !ways.empty())) {
      if (must_call(request_)) ways.clear();  // a call is the answer
      const Result<GrammarNode> calls = calls_of(ways.empty());
      if (!calls.ok()) return error_of(calls.status(), "tools");
      ways.push_back(*calls);
    }
    const bool free = request_.answer_schema.is_null() && !must_call(request_);
    const GrammarNode all = grammar_->choice(std::move(ways));
    const Status sealed = grammar_->seal(free ? all : behind_reasoning(all));
    if (!sealed.ok()) {
      return error_of(sealed, request_.answer_schema.is_null() ? "tools" : "response_format");
    }
    sampling.grammar = std::move(grammar_);
    return std::nullopt;
  }

 private:
  Result<GrammarNode> calls_of(bool nothing_else) {
    const CallSyntax& syntax = *api_.syntax.calls;
    if (syntax.form == nullptr) {
      return unsupported(
          fmt::format("calls in the syntax {} cannot be kept to tools and their schemas yet; "
                      "tool_choice auto without strict works",
                      syntax.name));
    }
    const bool one =
        request_.tool_choice.is_object() || !request_.parallel_tool_calls.value_or(true);
    const bool optional = nothing_else && !must_call(request_);
    return syntax.form({.grammar = *grammar_,
                        .tools = tools_of(request_),
                        .calls = optional ? CallsAre::kOptional : CallsAre::kRequired,
                        .count = one ? CallCount::kOne : CallCount::kAny,
                        .control = [this](std::string_view text) { return control(text); }});
  }

  TokenId control(std::string_view text) const { return control_token(*api_.model.runtime, text); }

  /// A model that reasons does so first: the form holds for what comes after.
  GrammarNode behind_reasoning(GrammarNode answer) {
    if (request_.messages.is_null() || !api_.syntax.think) return answer;
    const ThinkMarkers& markers = *api_.syntax.think;
    const GrammarNode rest = grammar_->sequence(
        {grammar_->until(std::string(markers.close), control(markers.close), runtime::MayEnd::kNo),
         grammar_->padded(answer)});
    const Result<std::string> prompt = api_.model.runtime->render(chat_prompt(request_));
    if (prompt.ok() && trimmed(*prompt).ends_with(markers.open)) return rest;
    const GrammarNode open = grammar_->literal(std::string(markers.open), control(markers.open));
    return grammar_->choice({answer, grammar_->sequence({open, rest})});
  }

  static WireError error_of(const Status& status, std::string param) {
    const bool missing = status.code() == StatusCode::kUnsupported;
    std::string message = param + ": " + status.message();
    return {.cause = missing ? Cause::kNotImplemented : Cause::kBadRequest,
            .message = std::move(message),
            .param = std::move(param)};
  }

  const Api& api_;
  const GenerationRequest& request_;
  std::shared_ptr<Grammar> grammar_ = std::make_shared<Grammar>();
};

}  // namespace

std::optional<WireError> constrain(const Api& api, const GenerationRequest& request,
                                   runtime::SamplingParams& sampling) {
  if (request.answer_schema.is_null() && !constrains_calls(request)) return std::nullopt;
  return Constraint(api, request).set(sampling);
}

}  // namespace cairn::server
