// Answers that are kept to one JSON object: against nlohmann's reader and against the definition of
// a mask. tests/sampling checks the same against Python's.
#include "engine/sampling/json_mask.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "base/random.h"
#include "engine/sampling/fake_vocabulary.h"
#include "engine/sampling/sampler.h"

namespace cairn::engine {
namespace {

const std::vector<std::string>& pieces() {
  static const std::vector<std::string> kPieces = {"{\"",      "\":",      "\": \"",
                                                   "\",",      "\"}",      "\"}}",
                                                   "}}",       "}}}}",     "]]",
                                                   "[[",       "}]",       "],",
                                                   "]}",       "{}",       "[]",
                                                   "null",     "true",     "false",
                                                   "tr",       "12",       "-0.5",
                                                   "1e",       "E+2",      ".5",
                                                   "\n  ",     "\\u",      "\\ud8",
                                                   "\\n",      "\xC3",     "\xC3\xA9",
                                                   "\xE2\x82", "\xAC",     "name",
                                                   "  ",       "\", \"",   "}\n",
                                                   "]]]]]]]",  "}}}}}}}}", "{\"a\":{\"b\":[",
                                                   "0",        "00"};
  return kPieces;
}

bool may_become_json(std::string_view text) {
  JsonState state;
  JsonStack stack;
  return read_json(state, stack, text) == JsonVerdict::kYes;
}

bool is_json_object(std::string_view text) {
  JsonState state;
  JsonStack stack;
  return read_json(state, stack, text) == JsonVerdict::kYes && state.mode == JsonMode::kDone;
}

TEST(JsonStateTest, TakesWhatIsJsonAndRefusesWhatIsNot) {
  for (const std::string_view text :
       {R"({})", R"( { "a" : [ 1 , -0 , 2.5e-10 , true , false , null , "x" , { } , [ ] ] } )",
        R"({"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t":"é😀"})", R"({"a":0,"b":-12.0E+5})"}) {
    EXPECT_TRUE(is_json_object(text)) << text;
    EXPECT_TRUE(Json::accept(text)) << text;
  }
  for (const std::string_view text : {R"([])",
                                      R"("a")",
                                      R"(1)",
                                      R"({a)",
                                      R"({,)",
                                      R"({"a")"
                                      R"(})",
                                      R"({"a":})",
                                      R"({"a":1,})",
                                      R"({"a":[1,])",
                                      R"({"a":01)",
                                      R"({"a":.5)",
                                      R"({"a":1.})",
                                      R"({"a":+1)",
                                      R"({"a":1e})",
                                      R"({"a":1e100)",
                                      R"({"a":tru})",
                                      R"({"a":nul,)",
                                      R"({"a":"\x)",
                                      R"({"a":"\u12g)",
                                      R"({"a":"\ud800")",
                                      R"({"a":"\ud800\u0041)",
                                      R"({"a":"\udc00)",
                                      R"({"a":]})",
                                      R"({"a":[})",
                                      R"({}})",
                                      R"({}x)",
                                      "{\"a\":\"\n",
                                      "{\"a\":\"\x80",
                                      "{\"a\":\"\xC0\x80",
                                      "{\"a\":\"\xE0\x80\x80",
                                      "{\"a\":\"\xED\xA0\x80",
                                      "{\"a\":\"\xF4\x90\x80\x80",
                                      "{\"a\":\"\xF5",
                                      "{\"a\":\"\xC3\""}) {
    EXPECT_FALSE(may_become_json(text)) << text;
  }
}

TEST(JsonStateTest, NestsToAnyDepth) {
  constexpr std::size_t kDepth = 100'000;
  std::string text = "{\"a\":";
  for (std::size_t i = 0; i < kDepth; ++i) text += "[";
  EXPECT_TRUE(may_become_json(text));
  for (std::size_t i = 0; i < kDepth; ++i) text += "]";
  EXPECT_TRUE(may_become_json(text));
  EXPECT_FALSE(may_become_json(text + "]"));
  EXPECT_TRUE(is_json_object(text + "}"));
}

/// One answer whose logits are random, with a growing wish to close what is open.
std::string random_answer(const FakeVocabulary& words, std::uint64_t seed) {
  const std::vector<TokenId> stops = {words.end()};
  Sampler sampler({.temperature = 1, .seed = seed, .format = AnswerFormat::kJsonObject},
                  {.vocabulary = words.size(), .bytes = &words, .stop_ids = stops});
  std::string answer;
  for (std::uint64_t position = 0; position < 4000 && !sampler.stop(); ++position) {
    std::vector<float> logits(words.size());
    for (std::size_t id = 0; id < logits.size(); ++id) {
      const std::string_view text = words.bytes(static_cast<TokenId>(id));
      const bool structural = text.find_first_of("{}[]\",:") != text.npos;
      const bool closes = text.find_first_of("}]\"") != text.npos;
      logits[id] = static_cast<float>(random_unit(seed, position + 1, id) + (structural ? 4 : 0) +
                                      (closes && position > 40 ? 4 : 0));
    }
    const Result<TokenId> id = sampler.choose(logits, position);
    EXPECT_TRUE(id.ok()) << id.status().message() << " after " << answer;
    if (!id.ok()) return answer;
    EXPECT_NE(*id, words.end()) << "ended inside the object";
    answer += words.bytes(*id);
  }
  EXPECT_EQ(sampler.stop(), SamplerStop::kComplete) << answer;
  return answer;
}

TEST(JsonMaskTest, RandomAnswersAreJsonObjects) {
  const FakeVocabulary words(pieces());
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const std::string answer = random_answer(words, seed);
    EXPECT_TRUE(is_json_object(answer)) << answer;
    EXPECT_TRUE(Json::accept(answer)) << answer;
  }
}

/// The mask by its definition: every token tried alone on a copy of the text.
std::vector<bool> allowed_by_definition(const FakeVocabulary& words, const std::string& text) {
  std::vector<bool> allowed(words.size(), false);
  for (std::size_t id = 0; id < words.size(); ++id) {
    const std::string_view bytes = words.bytes(static_cast<TokenId>(id));
    allowed[id] = !bytes.empty() && may_become_json(text + std::string(bytes));
  }
  return allowed;
}

TEST(JsonMaskTest, AllowsExactlyTheTokensAfterWhichTheTextCanStillBecomeJson) {
  const FakeVocabulary words(pieces());
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    JsonMask mask(words.index());
    std::string text;
    for (std::uint64_t step = 0; step < 60 && !mask.must_end(); ++step) {
      std::vector<std::uint64_t> bits((words.size() + 63) / 64);
      mask.allow(bits);
      const std::vector<bool> expected = allowed_by_definition(words, text);
      std::vector<TokenId> allowed;
      for (std::size_t id = 0; id < words.size(); ++id) {
        const bool got = (bits[id / 64] >> (id % 64) & 1U) != 0;
        ASSERT_EQ(got, expected[id]) << text << " + " << words.bytes(static_cast<TokenId>(id));
        if (got) allowed.push_back(static_cast<TokenId>(id));
      }
      ASSERT_FALSE(allowed.empty()) << text;
      const TokenId id = allowed[random_bits(seed, 9, step) % allowed.size()];
      ASSERT_TRUE(mask.advance(id));
      text += words.bytes(id);
    }
  }
}

TEST(JsonMaskTest, RollbackTakesTokensBack) {
  const FakeVocabulary words(pieces());
  const auto bits_of = [&](JsonMask& mask) {
    std::vector<std::uint64_t> bits((words.size() + 63) / 64);
    mask.allow(bits);
    return bits;
  };
  JsonMask mask(words.index());
  std::vector<std::vector<std::uint64_t>> seen;
  for (const std::string_view piece : {"{\"a\":{\"b\":[", "12", "]", "}", "}"}) {
    seen.push_back(bits_of(mask));
    ASSERT_TRUE(mask.advance(words.id(piece))) << piece;
  }
  EXPECT_TRUE(mask.must_end());
  mask.rollback(2);
  EXPECT_FALSE(mask.may_end());
  EXPECT_EQ(bits_of(mask), seen[3]);
  mask.rollback(3);
  EXPECT_EQ(bits_of(mask), seen[0]);
  EXPECT_FALSE(mask.advance(words.id("]")));
  EXPECT_TRUE(mask.advance(words.id("{}")));
}

TEST(JsonMaskTest, BoundsWhiteSpaceAndDigits) {
  const FakeVocabulary words(pieces());
  JsonMask mask(words.index());
  std::size_t spaces = 0;
  while (mask.advance(words.id(" "))) ++spaces;
  EXPECT_EQ(spaces, kJsonWhitespaceMax);
  ASSERT_TRUE(mask.advance(words.id("{\"")));
  for (std::size_t i = 0; i < 3 * kJsonWhitespaceMax; ++i) {
    ASSERT_TRUE(mask.advance(words.id(" "))) << "white space inside a string is text";
  }
  ASSERT_TRUE(mask.advance(words.id("\":")));
  std::size_t digits = 0;
  while (mask.advance(words.id("7"))) ++digits;
  EXPECT_EQ(digits, kJsonDigitsMax);
  std::vector<std::uint64_t> bits((words.size() + 63) / 64);
  mask.allow(bits);
  const auto seven = static_cast<std::size_t>('7');
  EXPECT_EQ(bits[seven / 64] >> (seven % 64) & 1U, 0U);
  EXPECT_TRUE(mask.advance(words.id(".5")));
}

TEST(JsonMaskTest, AForcedIdThatBreaksTheFormatIsAnError) {
  const FakeVocabulary words(pieces());
  SamplingParams params = {.format = AnswerFormat::kJsonObject};
  params.forced_ids = {words.id("{\""), words.id("\xC3"), words.id("\"}")};
  Sampler sampler(params, {.vocabulary = words.size(), .bytes = &words});
  std::vector<float> logits(words.size(), 0);
  EXPECT_TRUE(sampler.choose(logits, 0).ok());
  logits.assign(words.size(), 0);
  EXPECT_TRUE(sampler.choose(logits, 1).ok());
  logits.assign(words.size(), 0);
  const Result<TokenId> id = sampler.choose(logits, 2);
  ASSERT_FALSE(id.ok());
  EXPECT_EQ(id.status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace cairn::engine
