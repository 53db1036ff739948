// What a form allows, the parser beside it tells as calls: random answers of each grammar.
#include "server/parts/call_form.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/random.h"
#include "engine/grammar/state.h"
#include "server/parts/parsers.h"
#include "server/parts/syntax.h"

namespace cairn::server {
namespace {

constexpr std::size_t kStepsMax = 4000;

Json city_schema() {
  return Json::parse(R"({"type":"object","properties":{"city":{"enum":["Bonn","Köln"]}},
                         "required":["city"],"additionalProperties":false})");
}

/// A sealed form of two tools, of which one is strict.
Result<std::shared_ptr<runtime::Grammar>> grammar_of(const CallSyntax& syntax, CallsAre calls,
                                                     CallCount count) {
  auto grammar = std::make_shared<runtime::Grammar>();
  CAIRN_ASSIGN(
      const runtime::GrammarNode node,
      syntax.form({.grammar = *grammar,
                   .tools = {{.where = "tools[0]", .name = "weather", .parameters = city_schema()},
                             {.where = "tools[1]", .name = "anything"}},
                   .calls = calls,
                   .count = count,
                   .control = [](std::string_view) { return TokenId{-1}; }}));
  CAIRN_TRY(grammar->seal(node));
  return grammar;
}

/// An answer that the grammar allows, byte by byte; it ends where it may once `length` is reached.
std::string random_answer(const runtime::Grammar& grammar, std::uint64_t seed, std::size_t length) {
  engine::GrammarStack stack;
  engine::GrammarPlaces places = engine::grammar_start(grammar, stack);
  std::string answer;
  for (std::uint64_t step = 0; step < kStepsMax; ++step) {
    if (answer.size() >= length && engine::grammar_may_end(grammar, places)) return answer;
    std::vector<std::pair<char, engine::GrammarPlaces>> next;
    for (int byte = ' '; byte < 127; ++byte) {
      auto to = engine::grammar_step(grammar, stack, places, static_cast<std::uint8_t>(byte));
      if (!to.empty()) next.emplace_back(static_cast<char>(byte), std::move(to));
    }
    for (const int byte : {0x0A, 0xC3, 0xB6, 0xE2, 0xEF, 0xBD, 0x9C, 0x96, 0x81}) {
      auto to = engine::grammar_step(grammar, stack, places, static_cast<std::uint8_t>(byte));
      if (!to.empty()) next.emplace_back(static_cast<char>(byte), std::move(to));
    }
    if (next.empty()) {
      EXPECT_TRUE(engine::grammar_may_end(grammar, places)) << answer;
      return answer;
    }
    const auto at =
        static_cast<std::size_t>(random_unit(seed, 7, step) * static_cast<double>(next.size()));
    answer += next[at].first;
    places = std::move(next[at].second);
  }
  return "";
}

struct Told {
  std::vector<std::string> names;
  std::vector<std::string> arguments;
};

Told told(const CallSyntax& syntax, const std::string& answer) {
  const auto parser = syntax.make(Json::array());
  AnswerParts parts;
  parser->push(answer, parts);
  parser->finish(parts);
  Told all;
  for (const CallPiece& piece : parts.calls) {
    if (piece.index == all.names.size()) {
      all.names.push_back(piece.name);
      all.arguments.emplace_back();
    }
    all.arguments.at(piece.index) += piece.arguments;
  }
  EXPECT_EQ(parser->calls(), all.names.size()) << answer;
  return all;
}

TEST(CallFormTest, WhatAFormAllowsItsParserTellsAsCalls) {  // J03, J04
  std::size_t forms = 0;
  for (const CallSyntax& syntax : call_syntaxes()) {
    if (syntax.form == nullptr) continue;
    ++forms;
    const auto grammar = grammar_of(syntax, CallsAre::kRequired, CallCount::kOne);
    ASSERT_TRUE(grammar.ok()) << syntax.name << ": " << grammar.status().message();
    std::set<std::string> names;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const std::string answer = random_answer(**grammar, seed, 0);
      if (answer.empty()) continue;  // a text that would not end
      const Told calls = told(syntax, answer);
      ASSERT_EQ(calls.names.size(), 1U) << syntax.name << ": " << answer;
      names.insert(calls.names[0]);
      const Result<Json> arguments = parse_json(calls.arguments[0]);
      ASSERT_TRUE(arguments.ok() && arguments->is_object()) << syntax.name << ": " << answer;
      if (calls.names[0] != "weather") continue;
      EXPECT_EQ(arguments->size(), 1U) << answer;
      EXPECT_TRUE((*arguments)["city"] == "Bonn" || (*arguments)["city"] == "Köln") << answer;
    }
    EXPECT_EQ(names, (std::set<std::string>{"anything", "weather"})) << syntax.name;
  }
  EXPECT_GE(forms, 6U);
}

bool takes(const runtime::Grammar& grammar, const std::string& answer) {
  engine::GrammarStack stack;
  engine::GrammarPlaces places = engine::grammar_start(grammar, stack);
  for (const char byte : answer) {
    places = engine::grammar_step(grammar, stack, places, static_cast<std::uint8_t>(byte));
  }
  return engine::grammar_may_end(grammar, places);
}

TEST(CallFormTest, WhereACallIsNoMustTextMayStandAloneAndInFrontOfOne) {
  for (const CallSyntax& syntax : call_syntaxes()) {
    if (syntax.form == nullptr || syntax.name == "llama3") continue;  // that one is refused
    const auto must = grammar_of(syntax, CallsAre::kRequired, CallCount::kOne);
    const std::string call = random_answer(**must, 1, 0);
    const std::string text = syntax.name == "functionary_32" ? "all\nIt rains." : "It rains.";
    for (const CallCount count : {CallCount::kOne, CallCount::kAny}) {
      const auto grammar = grammar_of(syntax, CallsAre::kOptional, count);
      ASSERT_TRUE(grammar.ok()) << syntax.name << ": " << grammar.status().message();
      EXPECT_TRUE(takes(**grammar, text)) << syntax.name;
      EXPECT_TRUE(takes(**grammar, call)) << syntax.name << ": " << call;
      if (syntax.name != "functionary_32") {
        EXPECT_TRUE(takes(**grammar, text + call)) << syntax.name << ": " << call;
        EXPECT_EQ(takes(**grammar, call + text + call), count == CallCount::kAny) << syntax.name;
      }
      EXPECT_FALSE(takes(**grammar, call.substr(0, call.size() / 2))) << syntax.name;
    }
  }
}

TEST(CallFormTest, ASchemaThatIsNotSupportedNamesToolPlaceAndKeyword) {  // J11
  runtime::Grammar grammar;
  const CallForm form{.grammar = grammar};
  const auto refused = arguments_of(
      form, {.where = "tools[3].function 'lookup'",
             .name = "lookup",
             .parameters = Json::parse(R"({"properties":{"a":{"type":"string","pattern":"x"}}})")});
  ASSERT_FALSE(refused.ok());
  const std::string message = refused.status().message();
  for (const std::string part : {"lookup", "/properties/a", "pattern"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace cairn::server
