#include "server/parts/parsers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "server/parts/syntax.h"

namespace cairn::server {
namespace {

struct Call {
  std::string name = {};
  std::string arguments = {};

  bool operator==(const Call&) const = default;
};

/// What an answer came to, whatever the pieces.
struct Outcome {
  std::string text = {};
  std::string reasoning = {};
  std::vector<Call> calls = {};
  std::uint64_t whole = 0;

  bool operator==(const Outcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  out << "text '" << outcome.text << "' reasoning '" << outcome.reasoning << "'";
  for (const Call& call : outcome.calls) out << " " << call.name << "(" << call.arguments << ")";
  return out << " whole " << outcome.whole;
}

void add(Outcome& outcome, const AnswerParts& parts) {
  outcome.text += parts.text;
  outcome.reasoning += parts.reasoning;
  for (const CallPiece& piece : parts.calls) {
    EXPECT_LE(piece.index, outcome.calls.size());
    if (piece.index == outcome.calls.size()) {
      EXPECT_FALSE(piece.name.empty());
      outcome.calls.push_back({.name = piece.name});
    } else {
      EXPECT_TRUE(piece.name.empty());
    }
    outcome.calls.at(piece.index).arguments += piece.arguments;
  }
}

Outcome run(AnswerParser& parser, const std::vector<std::string>& pieces) {
  Outcome outcome;
  for (const std::string& piece : pieces) {
    AnswerParts parts;
    parser.push(piece, parts);
    add(outcome, parts);
  }
  AnswerParts parts;
  parser.finish(parts);
  add(outcome, parts);
  outcome.whole = parser.calls();
  return outcome;
}

Json weather_tools() {
  return Json::parse(R"([{"type":"function","function":{"name":"f","parameters":{"type":"object",
    "properties":{"id":{"type":"string"},"n":{"type":"integer"},"ok":{"type":"boolean"}}}}}])");
}

using Make = std::unique_ptr<AnswerParser> (*)();

/// The same outcome for the whole, for every cut into two, and byte by byte.
void expect_outcome(Make make, const std::string& answer, const Outcome& expected) {
  for (std::size_t cut = 0; cut <= answer.size(); ++cut) {
    ASSERT_EQ(run(*make(), {answer.substr(0, cut), answer.substr(cut)}), expected)
        << answer << " cut at " << cut;
  }
  std::vector<std::string> bytes;
  for (const char c : answer) bytes.emplace_back(1, c);
  EXPECT_EQ(run(*make(), bytes), expected) << answer << " byte by byte";
}

template <std::unique_ptr<AnswerParser> (*make)(const Json&)>
std::unique_ptr<AnswerParser> made() {
  return make(weather_tools());
}

TEST(ParsersTest, HermesCallsStandBetweenTheirTags) {
  const Make make = &made<&make_hermes>;
  expect_outcome(
      make,
      "Let me see.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": [1, \"}\"]}}\n"
      "</tool_call>\n<tool_call>{\"arguments\":{},\"name\":\"g\"}</tool_call>",
      {.text = "Let me see.", .calls = {{"f", "{\"a\": [1, \"}\"]}"}, {"g", "{}"}}, .whole = 2});
  expect_outcome(make, "a < b <tool", {.text = "a < b <tool"});
  expect_outcome(make, "<tool_call>{\"name\":\"f\"}</tool_call>",
                 {.calls = {{"f", "{}"}}, .whole = 1});
  expect_outcome(make, "<tool_call>{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}</tool_call>",
                 {.calls = {{"f", "{\"a\":1}"}}, .whole = 1});
}

TEST(ParsersTest, ACallThatIsNoneIsText) {
  const Make make = &made<&make_hermes>;
  expect_outcome(make, "<tool_call>none</tool_call>", {.text = "<tool_call>none</tool_call>"});
  expect_outcome(make, "<tool_call>{\"a\":1}</tool_call> b",
                 {.text = "<tool_call>{\"a\":1}</tool_call> b"});
}

TEST(ParsersTest, ACallThatTheLimitCutsOffIsNotWhole) {  // A23, A24
  const std::string answer = "<tool_call>{\"name\":\"f\",\"arguments\":{\"text\":\"a long";
  expect_outcome(&made<&make_hermes>, answer, {.calls = {{"f", "{\"text\":\"a long"}}, .whole = 0});
}

TEST(ParsersTest, Llama3AnswersThatAreACallAreOne) {
  const Make make = &made<&make_llama3>;
  expect_outcome(make,
                 "<|python_tag|>{\"name\": \"f\", \"parameters\": {\"a\": 1}}; "
                 "{\"name\":\"g\",\"parameters\":{}}",
                 {.calls = {{"f", "{\"a\": 1}"}, {"g", "{}"}}, .whole = 2});
  expect_outcome(make, "{\"name\": \"Ann\", \"age\": 7}",
                 {.text = "{\"name\": \"Ann\", \"age\": 7}"});
  expect_outcome(make, "It is {\"name\":\"f\",\"parameters\":{}}",
                 {.text = "It is {\"name\":\"f\",\"parameters\":{}}"});
}

TEST(ParsersTest, MistralCallsAreAListOrANameWithArguments) {
  const Make make = &made<&make_mistral>;
  expect_outcome(make,
                 "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"a\": \"]\"}}, {\"name\": "
                 "\"g\", \"arguments\": {}}]",
                 {.calls = {{"f", "{\"a\": \"]\"}"}, {"g", "{}"}}, .whole = 2});
  expect_outcome(make, "Hm.[TOOL_CALLS]f[CALL_ID]abc[ARGS]{\"a\": 1}[TOOL_CALLS]g[ARGS]{}",
                 {.text = "Hm.", .calls = {{"f", "{\"a\": 1}"}, {"g", "{}"}}, .whole = 2});
}

TEST(ParsersTest, DeepSeekCallsHaveANameAndAFenceOrNot) {
  const Make make = &made<&make_deepseek>;
  expect_outcome(make,
                 "Ok<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"
                 "\"a\": 1}\n```"
                 "<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><"
                 "｜tool▁calls▁end｜>",
                 {.text = "Ok", .calls = {{"f", "{\"a\": 1}"}, {"g", "{}"}}, .whole = 2});
}

TEST(ParsersTest, FunctionaryCallsNameTheirRecipient) {
  expect_outcome(&made<&make_functionary_31>,
                 "Hi <function=f>{\"a\": 1}</function><function=g>{}</function>",
                 {.text = "Hi", .calls = {{"f", "{\"a\": 1}"}, {"g", "{}"}}, .whole = 2});
  expect_outcome(&made<&make_functionary_32>, "all\nHello\n>>>f\n{\"a\": 1}>>>g\n{}",
                 {.text = "Hello", .calls = {{"f", "{\"a\": 1}"}, {"g", "{}"}}, .whole = 2});
}

TEST(ParsersTest, ValuesOfTagsAreWhatTheSchemaSays) {  // A28
  expect_outcome(
      &made<&make_qwen_coder>,
      "<tool_call>\n<function=f>\n<parameter=id>\n12345\n</parameter>\n<parameter=n>\n7\n"
      "</parameter>\n<parameter=ok>\ntrue\n</parameter>\n</function>\n</tool_call>",
      {.calls = {{"f", "{\"id\": \"12345\", \"n\": 7, \"ok\": true}"}}, .whole = 1});
  expect_outcome(&made<&make_qwen_coder>, "a <function=f>\n</function>",
                 {.text = "a", .calls = {{"f", "{}"}}, .whole = 1});
}

TEST(ParsersTest, GemmaCallsBecomeJson) {
  expect_outcome(
      &made<&make_gemma>,
      "<start_function_call>call:f{id:<escape>a,b}<escape>,n:7,l:[1,{k:true}]}<end_function_call>",
      {.calls = {{"f", R"({"id":"a,b}","n":7,"l":[1,{"k":true}]})"}}, .whole = 1});
}

TEST(ParsersTest, HarmonyTellsChannelsApart) {
  expect_outcome(
      &made<&make_harmony>,
      "<|channel|>analysis<|message|>Think.<|end|><|start|>assistant<|channel|>commentary "
      "to=functions.f <|constrain|>json<|message|>{\"a\": 1}<|call|>",
      {.reasoning = "Think.", .calls = {{"f", "{\"a\": 1}"}}, .whole = 1});
  expect_outcome(
      &made<&make_harmony>,
      "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>Hi <b>",
      {.text = "Hi <b>", .reasoning = "x"});
}

constexpr ThinkMarkers kThink = {"<think>", "</think>"};

std::unique_ptr<AnswerParser> thinking() {
  return make_thinking(kThink, Beginning::kAnswer, make_hermes({}));
}
std::unique_ptr<AnswerParser> thinking_already() {
  return make_thinking(kThink, Beginning::kReasoning, nullptr);
}

TEST(ParsersTest, ReasoningStandsApartAndNeverLeaksIntoTheText) {  // C24, C26
  expect_outcome(&thinking, "<think>\nx < y\n</think>\n\nz<tool_call>{\"name\":\"f\"}</tool_call>",
                 {.text = "z", .reasoning = "x < y", .calls = {{"f", "{}"}}, .whole = 1});
  expect_outcome(&thinking, "Say <think> aloud", {.text = "Say <think> aloud"});
  expect_outcome(&thinking_already, "still\n</think>\nyes", {.text = "yes", .reasoning = "still"});
  expect_outcome(&thinking_already, "cut off </thi", {.reasoning = "cut off </thi"});
}

TEST(ParsersTest, FiftyThousandMarkersTakeTimeByTheirNumber) {  // Z07
  std::string answer;
  for (int i = 0; i < 50'000; ++i) answer += "<tool_call>";
  for (const CallSyntax& syntax : call_syntaxes()) {
    std::string own;
    while (own.size() < 500'000) own += syntax.marker;
    for (const std::string& text : {answer, own}) {
      const auto begun = std::chrono::steady_clock::now();
      const auto parser = syntax.make(weather_tools());
      run(*parser, {text});
      const auto bytewise = syntax.make(weather_tools());
      for (const char c : text) {
        AnswerParts parts;
        bytewise->push({&c, 1}, parts);
      }
      // Quadratic work would take minutes.
      EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5)) << syntax.name;
    }
  }
}

}  // namespace
}  // namespace cairn::server
