// The parsers of this folder, one per file.
#pragma once

#include <memory>
#include <string_view>

#include "base/json.h"
#include "server/parts/answer_parser.h"
#include "server/parts/call_form.h"

namespace cairn::server {

/// {"name": ..., "arguments": ...} between <tool_call> and </tool_call>: Hermes, Qwen.
std::unique_ptr<AnswerParser> make_hermes(const Json& tools);
/// The answer is {"name": ..., "parameters": ...}, behind <|python_tag|> or not: Llama 3.
std::unique_ptr<AnswerParser> make_llama3(const Json& tools);
/// Behind [TOOL_CALLS] a list of objects, or NAME[ARGS]{...}: Mistral.
std::unique_ptr<AnswerParser> make_mistral(const Json& tools);
/// Between markers with full-width bars: DeepSeek V3, R1 and V3.1.
std::unique_ptr<AnswerParser> make_deepseek(const Json& tools);
/// <function=NAME>{...}</function>: Functionary 3.1.
std::unique_ptr<AnswerParser> make_functionary_31(const Json& tools);
/// >>>NAME, a line's end, {...}; >>>all is text: Functionary 3.2.
std::unique_ptr<AnswerParser> make_functionary_32(const Json& tools);
/// <function=NAME> with <parameter=KEY>VALUE</parameter>; the tools' schemas say which values are
/// texts: Qwen3-Coder.
std::unique_ptr<AnswerParser> make_qwen_coder(const Json& tools);
/// call:NAME{key:value} between <start_function_call> and <end_function_call>: FunctionGemma.
std::unique_ptr<AnswerParser> make_gemma(const Json& tools);
/// Channels of messages, reasoning among them: gpt-oss.
std::unique_ptr<AnswerParser> make_harmony(const Json& tools);

/// The forms of those that have one.
Result<runtime::GrammarNode> hermes_form(const CallForm& form);
Result<runtime::GrammarNode> llama3_form(const CallForm& form);
Result<runtime::GrammarNode> mistral_form(const CallForm& form);
Result<runtime::GrammarNode> deepseek_form(const CallForm& form);
Result<runtime::GrammarNode> functionary_31_form(const CallForm& form);
Result<runtime::GrammarNode> functionary_32_form(const CallForm& form);

/// Where an answer begins.
enum class Beginning : std::uint8_t { kAnswer, kReasoning };

/// What stands around reasoning. It is looked for at the beginning of an answer alone.
struct ThinkMarkers {
  std::string_view open = {};
  std::string_view close = {};
};

/// Tells reasoning apart and hands the rest to `inner`; null: the rest is text.
std::unique_ptr<AnswerParser> make_thinking(ThinkMarkers markers, Beginning beginning,
                                            std::unique_ptr<AnswerParser> inner);

}  // namespace cairn::server
