// Answers with guesses from prompt and answer are the answers without, in fewer steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/json.h"
#include "engine/engine.h"
#include "engine/fake_forwarder.h"
#include "tests/company/company.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 40;
constexpr std::size_t kPeriod = 5;
constexpr std::size_t kContext = 300;

/// Goes on with the prompt's period of five.
void cycle(std::span<const TokenId> history, std::span<float> logits) {
  prefer(history[history.size() - std::min(kPeriod, history.size())], logits);
}

std::vector<std::string> letters() {
  std::vector<std::string> pieces;
  for (std::size_t id = 0; id < kVocabulary; ++id) {
    pieces.emplace_back(1, static_cast<char>('a' + id % 26));
  }
  return pieces;
}

/// What the schema of the test below says, read from the answer.
bool is_valid(const std::string& answer) {
  const Result<Json> json = parse_json(answer);
  if (!json.ok() || !json->is_object() || json->size() != 2) return false;
  const Json a = json->value("a", Json());
  const Json b = json->value("b", Json());
  return (a == "ab" || a == "b" || a == 1) && b.is_array() && b.size() >= 3 && b.size() <= 30 &&
         std::ranges::all_of(b, [](const Json& item) { return item == "ab" || item == "ba"; });
}

class SpeculationTest : public testing::Test {
 protected:
  /// An engine that guesses up to `tokens` ids per step; costs are those of a clock that stands.
  std::unique_ptr<Engine> start(FakeForwarder::Script script, std::size_t tokens,
                                std::size_t sequences = 2) {
    auto forwarder = std::make_unique<FakeForwarder>(
        FakeForwarder::Options{.vocabulary = kVocabulary + 2,
                               .rows_max = 64,
                               .pages = 24,
                               .script = std::move(script),
                               .logits_rows_max = sequences + tokens});
    forwarder_ = forwarder.get();
    auto engine = Engine::create(std::move(forwarder), *bytes_,
                                 {.context = kContext,
                                  .step_rows = 64,
                                  .sequences = sequences,
                                  .lookup = {.tokens_max = tokens},
                                  .clock = [] { return 0.0; }});
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    return engine.ok() ? std::move(*engine) : nullptr;
  }

  static Request ask(std::size_t tokens) {
    Request request;
    for (std::size_t i = 0; i < 2 * kPeriod; ++i) {
      request.prompt.push_back(static_cast<TokenId>(1 + i % kPeriod));  // b c d e f b c d e f
    }
    request.tokens_max = tokens;
    return request;
  }

  std::unique_ptr<FakeBytes> bytes_ = std::make_unique<FakeBytes>(letters());
  FakeForwarder* forwarder_ = nullptr;
};

TEST_F(SpeculationTest, RightGuessesSaveStepsAndAreCounted) {
  const auto engine = start(cycle, 4);
  auto stream = engine->submit(ask(21));
  ASSERT_TRUE(stream.ok());
  Heard heard;
  while (heard.take((*stream)->next())) {
  }
  EXPECT_EQ(heard.text, "bcdefbcdefbcdefbcdefb");
  EXPECT_EQ(forwarder_->steps, (std::vector<std::size_t>{10, 5, 5, 5, 5}))
      << "the prompt, then the newest id and four guesses";
  const RequestFigures figures = (*stream)->figures();
  ASSERT_TRUE(figures.drafts.has_value());
  EXPECT_EQ(figures.drafts->drafts, 4U);
  EXPECT_EQ(figures.drafts->drafted, 16U);
  EXPECT_EQ(figures.drafts->accepted, 16U);
  EXPECT_EQ(figures.drafts->accepted_at[0], 4U);
  EXPECT_EQ(figures.drafts->accepted_at[3], 4U);
  EXPECT_EQ(figures.drafts->accepted_at[4], 0U);
  EXPECT_EQ(engine->figures().drafts->accepted, 16U);
  EXPECT_EQ(figures.generated_tokens, 21U);
}

TEST_F(SpeculationTest, FiguresAreAbsentWhenNothingMayBeGuessed) {
  const auto engine = start(cycle, 0);
  auto stream = engine->submit(ask(5));
  ASSERT_TRUE(stream.ok());
  EXPECT_FALSE((*stream)->figures().drafts.has_value());
  EXPECT_FALSE(engine->figures().drafts.has_value());
}

TEST_F(SpeculationTest, WrongGuessesChangeNothingAndGiveTheirPagesBack) {
  // After "f" comes 9, then 10: what followed in the prompt is wrong each time.
  const auto script = [](std::span<const TokenId> history, std::span<float> logits) {
    prefer(static_cast<TokenId>(history.size() % 3 == 0 ? 9 : history.size() % 7), logits);
  };
  Request request = ask(80);
  const auto plain = start(script, 0);
  const Heard expected = hear_alone(*plain, request, 0);
  const auto engine = start(script, 8);
  const Heard heard = hear_alone(*engine, request, 0);
  EXPECT_EQ(heard.differs(expected), "");
  const DraftFigures figures = *engine->figures().drafts;
  EXPECT_GT(figures.drafted, figures.accepted);
  engine->forget();
  EXPECT_EQ(engine->free_pages(), 24U);
}

TEST_F(SpeculationTest, NothingIsGeneratedBehindAnEndInsideADraft) {  // D04
  for (const std::size_t tokens : {0, 1, 2, 4, 8}) {
    const auto engine = start(cycle, tokens);
    Request request = ask(100);
    request.stop_ids = {3};
    Heard heard = hear_alone(*engine, request, 0);
    EXPECT_EQ(heard.ids, (std::vector<TokenId>{1, 2, 3})) << tokens;
    EXPECT_EQ(heard.text, "bc") << tokens;
    EXPECT_EQ(heard.reason, FinishReason::kStopId);

    request = ask(100);
    request.stop_strings = {"fbc"};
    heard = hear_alone(*engine, request, 0);
    EXPECT_EQ(heard.text, "bcde") << tokens;
    EXPECT_EQ(heard.ids.size(), 7U) << tokens;
    EXPECT_EQ(heard.reason, FinishReason::kStopString);

    for (std::size_t most = 1; most < 15; ++most) {
      heard = hear_alone(*engine, ask(most), 0);
      EXPECT_EQ(heard.ids.size(), most) << tokens;
      EXPECT_EQ(heard.reason, FinishReason::kLength);
    }
    Request full = ask(1);
    full.tokens_max.reset();
    heard = hear_alone(*engine, full, 0);
    EXPECT_EQ(heard.ids.size(), kContext - 10 + 1) << "to the end of the context";
  }
}

/// cycle() until the history has 17 ids.
void cycle_and_break(std::span<const TokenId> history, std::span<float> logits) {
  cycle(history, logits);
  if (history.size() == 17) logits[0] = std::numeric_limits<float>::quiet_NaN();
}

TEST_F(SpeculationTest, WhatStandsBeforeAnErrorInsideADraftIsPublished) {
  for (const std::size_t tokens : {0, 1, 2, 4, 8}) {
    const auto engine = start(cycle_and_break, tokens);
    Request request = ask(100);
    Heard heard = hear_alone(*engine, request, 0);
    EXPECT_EQ(heard.text, "bcdefbc") << tokens;
    EXPECT_EQ(heard.reason, FinishReason::kError) << tokens;
    EXPECT_EQ(heard.status.message(), "non-finite logits at position 17") << tokens;

    request.stop_strings = {"bcx"};
    heard = hear_alone(*engine, request, 0);
    EXPECT_EQ(heard.text, "bcdef") << tokens << ": a stop string could begin in the others";
  }
}

TEST_F(SpeculationTest, AJsonAnswerIsTheSameWithGuessesAndAlwaysValid) {  // D05
  std::vector<std::string> pieces = {"{", "}", "[",    "]", "\"", ":",
                                     ",", "1", "true", "a", "b",  " "};
  pieces.insert(pieces.end(), {"\"a\":", "\"b\":[", "],", "},", "1,", "{\"a\":1,", "null", "\\n"});
  while (pieces.size() < kVocabulary)
    pieces.emplace_back(1, static_cast<char>('c' + pieces.size() % 20));
  bytes_ = std::make_unique<FakeBytes>(pieces);
  const auto plain = start(stutter, 0);
  const auto engine = start(stutter, 6);
  std::size_t whole = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Request request = ask(150);
    request.prompt[0] = static_cast<TokenId>(seed % kVocabulary);
    request.sampling = {.temperature = seed % 2 == 0 ? 0.0 : 1.0, .seed = seed};
    request.sampling.format = AnswerFormat::kJsonObject;
    const Heard expected = hear_alone(*plain, request, 0);
    const Heard heard = hear_alone(*engine, request, 0);
    ASSERT_EQ(heard.differs(expected), "") << "seed " << seed;
    if (heard.reason != FinishReason::kStopId) continue;
    ++whole;
    EXPECT_TRUE(Json::accept(heard.text)) << heard.text;
  }
  EXPECT_GT(whole, 10U);
  EXPECT_GT(engine->figures().drafts->accepted, 100U) << "guesses must have been right at times";
}

TEST_F(SpeculationTest, AnAnswerKeptToASchemaIsTheSameWithGuessesAndAlwaysValid) {  // D05
  std::vector<std::string> pieces = {"{", "}", "\"", ":", ",", "a", "b", "ab", " ", "[", "]", "1"};
  pieces.insert(pieces.end(), {"{\"a\":", "\"b\":", "[\"ab\"", ",\"ba\"", "\"ab\""});
  while (pieces.size() < kVocabulary)
    pieces.emplace_back(1, static_cast<char>('c' + pieces.size() % 20));
  bytes_ = std::make_unique<FakeBytes>(pieces);
  const auto grammar = grammar_of(
      R"({"properties": {"a": {"enum": ["ab", "b", 1]},
                         "b": {"items": {"enum": ["ab", "ba"]}, "minItems": 3, "maxItems": 30}},
          "required": ["a", "b"]})");
  const auto plain = start(stutter, 0);
  const auto engine = start(stutter, 6);
  std::size_t whole = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Request request = ask(280);
    request.prompt[0] = static_cast<TokenId>(seed % kVocabulary);
    request.sampling = {.temperature = seed % 2 == 0 ? 0.0 : 1.0, .seed = seed};
    request.sampling.grammar = grammar;
    const Heard heard = hear_alone(*engine, request, 0);
    ASSERT_EQ(heard.differs(hear_alone(*plain, request, 0)), "") << "seed " << seed;
    if (heard.reason != FinishReason::kStopId) continue;
    ++whole;
    EXPECT_TRUE(is_valid(heard.text)) << heard.text;
  }
  EXPECT_GT(whole, 50U);
  EXPECT_GT(engine->figures().drafts->accepted, 100U) << "guesses must have been right at times";
}

TEST_F(SpeculationTest, GuessesThatAMaskForbidsAreNotComputed) {
  const auto engine = start(cycle, 4);
  Request request = ask(20);
  request.sampling.banned_words = {"d"};
  const Heard heard = hear_alone(*engine, request, 0);
  EXPECT_EQ(heard.text.find('d'), std::string::npos);
  const auto free = start(cycle, 0);
  EXPECT_EQ(heard.differs(hear_alone(*free, request, 0)), "");
}

TEST_F(SpeculationTest, AnswersShareTheRowsForGuesses) {
  const auto engine = start(cycle, 4, 4);
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 4; ++i) {
    auto stream = engine->submit(ask(20));
    ASSERT_TRUE(stream.ok());
    streams.push_back(std::move(*stream));
  }
  Heard heard;
  while (heard.take(streams[3]->next())) {
  }
  EXPECT_EQ(heard.text, "bcdefbcdefbcdefbcdef");
  EXPECT_EQ(*std::ranges::max_element(forwarder_->steps.begin() + 1, forwarder_->steps.end()), 8U)
      << "four newest ids and four guesses";
  for (const auto& stream : streams) EXPECT_GT(stream->figures().drafts->accepted, 0U);
}

TEST_F(SpeculationTest, ModelsThatCanNotForgetAreRefused) {
  const auto refusal = [&](FakeForwarder::Options options) {
    options.vocabulary = kVocabulary;
    options.rows_max = 64;
    options.pages = 24;
    options.script = cycle;
    return Engine::create(std::make_unique<FakeForwarder>(std::move(options)), *bytes_,
                          {.context = kContext, .step_rows = 64, .lookup = {.tokens_max = 4}})
        .status()
        .message();
  };
  EXPECT_EQ(refusal({.groups = {CacheGroup{}, {.kind = models::CacheKind::kRecurrent}}}),
            "lookup on a model with a recurrent state, which can not go back to before a wrong "
            "guess; accepted are models without one");
  EXPECT_EQ(refusal({.logits_rows_max = 4}),
            "1 sequences at once and 4 lookup tokens, the model takes 4 rows of logits");
}

}  // namespace
}  // namespace cairn::engine
