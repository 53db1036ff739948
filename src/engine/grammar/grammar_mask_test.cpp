#include "engine/grammar/grammar_mask.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/grammar/json_schema.h"
#include "engine/sampling/fake_vocabulary.h"
#include "engine/sampling/sampler.h"

namespace cairn::engine {
namespace {

FakeVocabulary vocabulary() {
  return FakeVocabulary({"{\"", "\":",  "\": \"", "\",",  "\"}", "}}",     "]]",   "}]",  "{}",
                         "[]",  "null", "true",   "12",   "0.5", "a\":",   "\"a",  "<c>", "c>{",
                         "<",   "<c>[", "text",   "\\u0", "1,",  " <c>{}", "]</c>"});
}

std::shared_ptr<const Grammar> of_schema(const std::string& schema) {
  auto grammar = std::make_shared<Grammar>();
  const GrammarNode node = add_json_schema(*grammar, parse_json(schema).value()).value();
  EXPECT_TRUE(grammar->seal(grammar->padded(node)).ok());
  return grammar;
}

/// Text, then <c>, an array of items, and </c>; the control token stands for the first.
std::shared_ptr<const Grammar> of_marker(TokenId control) {
  auto grammar = std::make_shared<Grammar>();
  const GrammarNode array = add_json_schema(*grammar, Json::parse(R"({"type":"array"})")).value();
  const GrammarNode all = grammar->sequence(
      {grammar->until("<c>", control, MayEnd::kYes), array, grammar->literal("</c>")});
  EXPECT_TRUE(grammar->seal(all).ok());
  return grammar;
}

std::vector<TokenId> allowed(GrammarMask& mask, const FakeVocabulary& words) {
  std::vector<std::uint64_t> bits((words.size() + 63) / 64);
  mask.allow(bits);
  std::vector<TokenId> ids;
  for (std::size_t id = 0; id < words.size(); ++id) {
    if ((bits[id / 64] >> (id % 64) & 1U) != 0) ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

/// The mask by its definition: every token taken and given back.
std::vector<TokenId> allowed_by_definition(GrammarMask& mask, const FakeVocabulary& words) {
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < static_cast<TokenId>(words.size()); ++id) {
    if (!mask.advance(id)) continue;
    mask.rollback(1);
    ids.push_back(id);
  }
  return ids;
}

TEST(GrammarMaskTest, AllowsExactlyTheTokensThatItTakes) {
  const FakeVocabulary words = vocabulary();
  const std::vector<std::shared_ptr<const Grammar>> grammars = {
      of_marker(words.end()), of_marker(-1), of_schema("{}"),
      of_schema(R"({"properties":{"a":{"type":"number"},"text":{"enum":["a","ab",1,12]}},
                    "additionalProperties":{"type":"array","maxItems":2}})"),
      of_schema(R"({"anyOf":[{"type":"object"},{"properties":{"a":{}},"required":["a"]}]})")};
  for (const auto& grammar : grammars) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      GrammarMask mask(words.index(), grammar);
      std::string text;
      for (std::uint64_t step = 0; step < 40 && !mask.must_end(); ++step) {
        const std::vector<TokenId> ids = allowed(mask, words);
        ASSERT_EQ(ids, allowed_by_definition(mask, words)) << text;
        ASSERT_FALSE(ids.empty()) << text;
        const TokenId id = ids[random_bits(seed, 9, step) % ids.size()];
        ASSERT_TRUE(mask.advance(id));
        text += words.bytes(id);
      }
    }
  }
}

TEST(GrammarMaskTest, RollbackTakesTokensBack) {
  const FakeVocabulary words = vocabulary();
  GrammarMask mask(words.index(), of_schema(R"({"items":{"type":"array"}})"));
  std::vector<std::vector<TokenId>> seen;
  for (const char* piece : {"[", "[]", ",", "[", "12", "]]"}) {
    seen.push_back(allowed(mask, words));
    ASSERT_TRUE(mask.advance(words.id(piece))) << piece;
  }
  EXPECT_TRUE(mask.must_end());
  mask.rollback(2);
  EXPECT_FALSE(mask.may_end());
  EXPECT_EQ(allowed(mask, words), seen[4]);
  mask.rollback(4);
  EXPECT_EQ(allowed(mask, words), seen[0]);
  EXPECT_FALSE(mask.advance(words.id("{}")));
  EXPECT_TRUE(mask.advance(words.id("[]")));
}

TEST(GrammarMaskTest, AfterAMarkerInFreeTextTheFormHolds) {
  const FakeVocabulary words = vocabulary();
  GrammarMask mask(words.index(), of_marker(-1));
  for (const char* piece : {"text", "<", "<", "x"}) ASSERT_TRUE(mask.advance(words.id(piece)));
  EXPECT_TRUE(mask.may_end());
  EXPECT_TRUE(mask.advance(words.end())) << "control tokens may stand in the text";
  EXPECT_FALSE(mask.advance(words.id(" <c>{}"))) << "the marker is passed within the token";
  ASSERT_TRUE(mask.advance(words.id("<")));
  EXPECT_FALSE(mask.advance(words.id("c>{"))) << "or ends in it";
  ASSERT_TRUE(mask.advance(words.id("c")));
  ASSERT_TRUE(mask.advance(words.id(">")));
  EXPECT_FALSE(mask.may_end());
  EXPECT_FALSE(mask.advance(words.end()));
  for (const char* piece : {"[", "12", "]</c>"}) ASSERT_TRUE(mask.advance(words.id(piece)));
  EXPECT_TRUE(mask.must_end());
}

TEST(GrammarMaskTest, AControlTokenStandsForItsMarker) {
  const FakeVocabulary words = vocabulary();
  GrammarMask mask(words.index(), of_marker(words.end()));
  ASSERT_TRUE(mask.advance(words.id("<")));
  ASSERT_TRUE(mask.advance(words.end()));
  EXPECT_FALSE(mask.advance(words.id("text")));
  EXPECT_TRUE(mask.advance(words.id("[]")));
}

TEST(GrammarMaskTest, AnAnswerEndsWhereItsFormDoes) {
  const FakeVocabulary words = vocabulary();
  const std::vector<TokenId> stops = {words.end()};
  SamplingParams params;
  params.grammar = of_schema(R"({"type":"number"})");
  Sampler sampler(params, {.vocabulary = words.size(), .bytes = &words, .stop_ids = stops});
  std::string text;
  for (std::uint64_t position = 0; position < 100 && !sampler.stop(); ++position) {
    std::vector<float> logits(words.size(), 0);
    logits[static_cast<std::size_t>(words.id("7"))] = 5;  // a model that counts for ever: J19
    const Result<TokenId> id = sampler.choose(logits, position);
    ASSERT_TRUE(id.ok()) << id.status().message();
    if (*id == words.end()) break;
    text += words.bytes(*id);
  }
  EXPECT_LE(text.size(), 2 * kDigitsMax + 6) << text;
  EXPECT_TRUE(Json::accept(text)) << text;
}

}  // namespace
}  // namespace cairn::engine
