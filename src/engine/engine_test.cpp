// Longer than most files: the behaviour of the engine on scripted models.
#include "engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr TokenId kEnd = 1;
constexpr std::size_t kContext = 200;

/// Letters a to z are ids 2 to 27; 28 to 30 are "ab", "bc" and " stop"; 31 and 32 have no bytes.
FakeBytes make_bytes() {
  std::vector<std::string> pieces = {"", ""};
  for (char letter = 'a'; letter <= 'z'; ++letter) pieces.emplace_back(1, letter);
  pieces.insert(pieces.end(), {"ab", "bc", " stop", "", ""});
  return FakeBytes(pieces);
}

std::vector<TokenId> spell(std::string_view text) {
  std::vector<TokenId> ids;
  for (const char letter : text) ids.push_back(letter - 'a' + 2);
  return ids;
}

/// Answers "abcabc..." to everything: the letter depends on the length of the history alone.
void alphabet(std::span<const TokenId> history, std::span<float> logits) {
  prefer(static_cast<TokenId>(2 + history.size() % 3), logits);
}

/// Says the ids of `answer` after a prompt of `prompt_size` ids, whatever it was.
FakeForwarder::Script say(std::size_t prompt_size, const std::vector<TokenId>& answer) {
  return [prompt_size, answer](std::span<const TokenId> history, std::span<float> logits) {
    const std::size_t at = history.size() - prompt_size;
    prefer(at < answer.size() ? answer[at] : kEnd, logits);
  };
}

/// What a whole answer was.
struct Answer {
  std::vector<TokenId> ids;
  std::string text;
  FinishReason reason = FinishReason::kError;
  RequestFigures figures;
  Status status;
};

class EngineTest : public testing::Test {
 protected:
  void start(FakeForwarder::Script script, std::size_t step_rows = 16, std::size_t padded = 3) {
    auto forwarder =
        std::make_unique<FakeForwarder>(FakeForwarder::Options{.vocabulary = bytes_.size() + padded,
                                                               .rows_max = step_rows,
                                                               .pages = (kContext + 31) / 32,
                                                               .script = std::move(script)});
    forwarder_ = forwarder.get();
    auto engine =
        Engine::create(std::move(forwarder), bytes_, {.context = kContext, .step_rows = step_rows});
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(*engine);
  }

  static Answer read(Stream& stream) {
    Answer answer;
    for (;;) {
      const auto token = stream.next();
      if (!token.ok()) {
        answer.status = token.status();
        break;
      }
      if (!token.value()) break;
      answer.ids.push_back((*token)->id);
      answer.text += (*token)->bytes;
    }
    answer.reason = stream.finish_reason().value_or(FinishReason::kError);
    answer.figures = stream.figures();
    return answer;
  }

  Answer answer(const Request& request) {
    auto stream = engine_->submit(request);
    if (!stream.ok()) return {.ids = {}, .text = {}, .figures = {}, .status = stream.status()};
    return read(**stream);
  }

  Status refusal(const Request& request) { return engine_->submit(request).status(); }

  FakeBytes bytes_ = make_bytes();
  FakeForwarder* forwarder_ = nullptr;
  std::unique_ptr<Engine> engine_;
};

TEST_F(EngineTest, GeneratesUpToTheNumberOfTokensAskedFor) {
  start(alphabet);
  const Answer got = answer({.prompt = spell("xyz"), .sampling = {}, .tokens_max = 5});
  EXPECT_EQ(got.text, "abcab");
  EXPECT_EQ(got.ids, spell("abcab"));
  EXPECT_EQ(got.reason, FinishReason::kLength);
  EXPECT_EQ(got.figures.prompt_tokens, 3U);
  EXPECT_EQ(got.figures.generated_tokens, 5U);
}

TEST_F(EngineTest, GeneratesToTheEndOfTheContextByDefault) {
  start(alphabet);
  const Answer got = answer({.prompt = std::vector<TokenId>(kContext - 4, 2), .sampling = {}});
  EXPECT_EQ(got.ids.size(), 5U) << "the last id is never computed and needs no position";
  EXPECT_EQ(got.reason, FinishReason::kLength);
}

TEST_F(EngineTest, TakesAPromptThatFillsTheContextAndRefusesALongerOneWithBothNumbers) {
  start(alphabet);
  EXPECT_EQ(answer({.prompt = std::vector<TokenId>(kContext, 2), .sampling = {}}).ids.size(), 1U);
  const Status status = refusal({.prompt = std::vector<TokenId>(kContext + 1, 2), .sampling = {}});
  EXPECT_EQ(status.code(), StatusCode::kTooLarge);
  EXPECT_NE(status.message().find("201"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("200"), std::string::npos) << status.message();
}

TEST_F(EngineTest, GivesTheSameAnswerWhateverTheChunksOfThePrompt) {
  Request request{.prompt = {}, .sampling = {.temperature = 1, .seed = 7}, .tokens_max = 40};
  for (int i = 0; i < 100; ++i) request.prompt.push_back(2 + i % 26);
  std::vector<TokenId> expected;
  for (const std::size_t step_rows : {100, 64, 7, 1}) {
    start(scramble, step_rows);
    const Answer got = answer(request);
    if (expected.empty()) expected = got.ids;
    EXPECT_EQ(got.ids, expected) << step_rows;
    EXPECT_EQ(forwarder_->steps.front(), step_rows);
  }
  EXPECT_EQ(expected.size(), 40U);
}

TEST_F(EngineTest, StopsAtAStopIdPublishesItAndHidesItsBytes) {
  start(say(1, {2, 3, 28, 4}));
  const Answer got =
      answer({.prompt = {5}, .sampling = {}, .tokens_max = {}, .stop_ids = {kEnd, 28}});
  EXPECT_EQ(got.ids, (std::vector<TokenId>{2, 3, 28}));
  EXPECT_EQ(got.text, "ab");
  EXPECT_EQ(got.reason, FinishReason::kStopId);
}

TEST_F(EngineTest, GoesOnPastTheEndTokenWhenItIsNoStopId) {
  start(say(1, {2, kEnd, 3, kEnd}));
  const Answer got = answer({.prompt = {5}, .sampling = {}, .tokens_max = 4});
  EXPECT_EQ(got.ids, (std::vector<TokenId>{2, kEnd, 3, kEnd}));
  EXPECT_EQ(got.reason, FinishReason::kLength);
}

TEST_F(EngineTest, FindsAStopStringThatSpansTokens) {
  start(say(1, {23, 28, 4, 5, 6}));  // v ab c d e
  const Answer got = answer({.prompt = {5},
                             .sampling = {},
                             .tokens_max = {},
                             .stop_ids = {kEnd},
                             .stop_strings = {"bcd", "zzz"}});
  EXPECT_EQ(got.text, "va") << "the text ends where the stop string begins";
  EXPECT_EQ(got.ids, (std::vector<TokenId>{23, 28, 4, 5})) << "ids are all that was generated";
  EXPECT_EQ(got.reason, FinishReason::kStopString);
}

TEST_F(EngineTest, HoldsATokenBackWhileAStopStringMayBeginInIt) {
  start(say(1, {2, 3, 2, 4, kEnd}));  // a b a c
  auto stream = engine_->submit({.prompt = {5},
                                 .sampling = {},
                                 .tokens_max = {},
                                 .stop_ids = {kEnd},
                                 .stop_strings = {"abc"}});
  ASSERT_TRUE(stream.ok());
  ASSERT_TRUE((*stream)->next().ok());
  EXPECT_EQ(forwarder_->steps.size(), 3U) << "'a' and 'ab' may begin 'abc', 'aba' may not";
  const Answer rest = read(**stream);
  EXPECT_EQ(rest.text, "bac");
  EXPECT_EQ(rest.reason, FinishReason::kStopId);
}

TEST_F(EngineTest, PublishesWhatWasHeldBackAtTheEnd) {
  start(say(1, {2, 3}));
  const Answer got = answer(
      {.prompt = {5}, .sampling = {}, .tokens_max = 2, .stop_ids = {}, .stop_strings = {"abc"}});
  EXPECT_EQ(got.text, "ab");
  EXPECT_EQ(got.reason, FinishReason::kLength);
}

TEST_F(EngineTest, NeverEmitsAPaddedRowOfTheHead) {  // G20
  start([&](std::span<const TokenId>, std::span<float> logits) {
    std::ranges::fill(logits, 0.0F);
    for (std::size_t id = bytes_.size(); id < logits.size(); ++id) logits[id] = 1000;
    logits[9] = 1;
  });
  EXPECT_EQ(answer({.prompt = {5}, .sampling = {}, .tokens_max = 1}).ids.front(), 9);
  const Answer sampled = answer({.prompt = {5}, .sampling = {.temperature = 2}, .tokens_max = 100});
  for (const TokenId id : sampled.ids) EXPECT_LT(id, static_cast<TokenId>(bytes_.size()));
}

TEST_F(EngineTest, RefusesATokenizerWithMoreTokensThanTheModelHasLogits) {  // G20
  const auto engine = Engine::create(
      std::make_unique<FakeForwarder>(FakeForwarder::Options{
          .vocabulary = bytes_.size() - 1, .rows_max = 4, .pages = 8, .script = alphabet}),
      bytes_, {.context = 32});
  ASSERT_FALSE(engine.ok());
  EXPECT_NE(engine.status().message().find("33 tokens, the model 32"), std::string::npos)
      << engine.status().message();
}

TEST_F(EngineTest, FailsTheRequestWithNonFiniteLogitsAndServesTheNext) {  // P11
  bool broken = true;
  start([&](std::span<const TokenId> history, std::span<float> logits) {
    alphabet(history, logits);
    if (broken) logits[4] = std::numeric_limits<float>::quiet_NaN();
  });
  for (const double temperature : {0.0, 1.0}) {
    const Answer got = answer({.prompt = {5}, .sampling = {.temperature = temperature}});
    EXPECT_EQ(got.status.code(), StatusCode::kInternal);
    EXPECT_NE(got.status.message().find("non-finite logits"), std::string::npos);
    EXPECT_EQ(got.reason, FinishReason::kError);
  }
  broken = false;
  EXPECT_EQ(answer({.prompt = {5}, .sampling = {}, .tokens_max = 3}).text, "bca");
}

TEST_F(EngineTest, EqualSeedsGiveEqualAnswersAndOthersDiffer) {  // P06
  start(scramble);
  Request request{.prompt = spell("hello"), .sampling = {.temperature = 1}, .tokens_max = 20};
  request.sampling.seed = 42;
  const auto first = answer(request).ids;
  const auto second = answer(request).ids;
  request.sampling.seed = 43;
  const auto third = answer(request).ids;
  request.sampling.seed = std::numeric_limits<std::uint64_t>::max();
  const auto largest = answer(request).ids;
  EXPECT_EQ(first, second);
  EXPECT_NE(first, third);
  EXPECT_NE(first, largest);
}

TEST_F(EngineTest, ASeededAnswerIsTheSameFromTheCacheAndWithout) {  // P08
  start(scramble);
  Request request{.prompt = spell("thequickbrownfoxjumpsoverthelazydogandruns"),
                  .sampling = {.temperature = 1, .seed = 1},
                  .tokens_max = 20};
  const Answer first = answer(request);
  const Answer second = answer(request);
  (void)answer({.prompt = spell("something else"), .sampling = {}, .tokens_max = 3});
  const Answer third = answer(request);
  request.reuse = PrefixReuse::kNo;
  const Answer uncached = answer(request);
  EXPECT_EQ(first.figures.cached_tokens, 0U);
  EXPECT_EQ(second.figures.cached_tokens, 32U) << "whole pages";
  EXPECT_EQ(uncached.figures.cached_tokens, 0U);
  EXPECT_EQ(first.ids, second.ids);
  EXPECT_EQ(first.ids, third.ids);
  EXPECT_EQ(first.ids, uncached.ids);
}

TEST_F(EngineTest, AConversationContinuesFromWhatItComputedBefore) {
  start(scramble);
  std::vector<TokenId> conversation = spell("hello");
  const Answer first = answer({.prompt = conversation, .sampling = {}, .tokens_max = 40});
  conversation.insert(conversation.end(), first.ids.begin(), first.ids.end());
  conversation.push_back(9);
  const Answer cached = answer({.prompt = conversation, .sampling = {}, .tokens_max = 40});
  EXPECT_EQ(cached.figures.cached_tokens, 32U) << "the page that prompt and answer filled";
  start(scramble);
  EXPECT_EQ(answer({.prompt = conversation, .sampling = {}, .tokens_max = 40}).ids, cached.ids);
}

TEST_F(EngineTest, DroppingAStreamCancelsItAndGivesItsPagesBack) {
  start(alphabet);
  const std::size_t pages = engine_->free_pages();
  {
    auto stream = engine_->submit({.prompt = std::vector<TokenId>(70, 2), .sampling = {}});
    ASSERT_TRUE(stream.ok());
    ASSERT_TRUE((*stream)->next().ok());
    EXPECT_EQ(engine_->free_pages(), pages - 3);
  }
  EXPECT_EQ(answer({.prompt = {2}, .sampling = {}, .tokens_max = 1}).ids.size(), 1U);
  engine_->forget();
  EXPECT_EQ(engine_->free_pages(), pages);
}

TEST_F(EngineTest, ACancelledStreamEndsAtOnce) {
  start(alphabet);
  auto stream = engine_->submit({.prompt = {2}, .sampling = {}});
  ASSERT_TRUE(stream.ok());
  ASSERT_TRUE((*stream)->next().ok());
  (*stream)->cancel();
  EXPECT_TRUE((*stream)->ended());
  const Answer rest = read(**stream);
  EXPECT_TRUE(rest.ids.empty());
  EXPECT_EQ(rest.reason, FinishReason::kCancelled);
}

TEST_F(EngineTest, PenaltiesSeeThePromptOnlyWhereTheyShould) {  // P04
  // Prompt "a a a a"; a is best by 0.5, b follows. All formulas act on the first generated token.
  start([](std::span<const TokenId>, std::span<float> logits) {
    std::ranges::fill(logits, -10.0F);
    logits[2] = 3.0F;
    logits[3] = 2.5F;
  });
  const auto first = [&](const SamplingParams& sampling) {
    return answer({.prompt = spell("aaaa"), .sampling = sampling, .tokens_max = 1}).ids.front();
  };
  EXPECT_EQ(first({}), 2);
  EXPECT_EQ(first({.presence_penalty = 2}), 2) << "presence looks at the answer alone";
  EXPECT_EQ(first({.frequency_penalty = 2}), 2) << "frequency looks at the answer alone";
  EXPECT_EQ(first({.repetition_penalty = 1.5}), 3) << "repetition looks at the prompt too";
  EXPECT_EQ(first({.repetition_penalty = 1.19}), 2) << "3 / 1.19 is above 2.5: once, not 4 times";

  const auto second = [&](const SamplingParams& sampling) {
    return answer({.prompt = spell("aaaa"), .sampling = sampling, .tokens_max = 2}).ids.back();
  };
  EXPECT_EQ(second({.presence_penalty = 1}), 3);
  EXPECT_EQ(second({.frequency_penalty = 1}), 3);
  EXPECT_EQ(second({.frequency_penalty = 0.25}), 2);
}

TEST_F(EngineTest, RefusesWhatCanNotBeServedAndSaysWhatIsAccepted) {  // P01, P13
  start(alphabet);
  const auto message = [&](const Request& request) {
    const Status status = refusal(request);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    return status.message();
  };
  const std::vector<TokenId> ok = {2};
  EXPECT_EQ(message({.prompt = {}, .sampling = {}}), "the prompt has no tokens, it needs one");
  EXPECT_EQ(message({.prompt = {2, 33}, .sampling = {}}),
            "prompt token 1 is id 33, the vocabulary has ids 0 to 32");
  EXPECT_EQ(message({.prompt = ok, .sampling = {.bias = {{99999999, 5}}}}),
            "logit_bias names id 99999999, the vocabulary has ids 0 to 32");
  EXPECT_EQ(message({.prompt = ok, .sampling = {.bias = {{-1, 5}}}}),
            "logit_bias names id -1, the vocabulary has ids 0 to 32");
  EXPECT_EQ(message({.prompt = ok, .sampling = {.bias = {{5, 1e9F}}}}),
            "logit_bias of id 5 is 1000000000, accepted is -100 to 100, or -inf for never");
  EXPECT_EQ(message({.prompt = ok, .sampling = {.bias = {{5, 1}, {5, 2}}}}),
            "logit_bias names id 5 twice");
  EXPECT_EQ(message({.prompt = ok, .sampling = {}, .tokens_max = {}, .stop_ids = {-1}}),
            "stop token 0 is id -1, the vocabulary has ids 0 to 32");
  EXPECT_EQ(
      message(
          {.prompt = ok, .sampling = {}, .tokens_max = {}, .stop_ids = {}, .stop_strings = {""}}),
      "a stop string is empty, it needs at least one byte");
  EXPECT_EQ(message({.prompt = ok, .sampling = {}, .tokens_max = 0}),
            "the most tokens to generate is 0, accepted is 1 or more");
  Request many{.prompt = ok, .sampling = {}};
  many.logprobs = 34;
  EXPECT_EQ(message(many), "logprobs is 34, the vocabulary has 33 ids");
}

TEST_F(EngineTest, FailsARequestWhoseBiasLeavesNoToken) {
  start(alphabet);
  Request request{.prompt = {2}, .sampling = {}};
  for (TokenId id = 0; id < 33; ++id) {
    request.sampling.bias.push_back({id, -std::numeric_limits<float>::infinity()});
  }
  EXPECT_EQ(answer(request).status.message(), "bias, bans and masks leave no id at position 1");
}

TEST_F(EngineTest, LogprobsAreTheModelsOwnWhateverTheSampling) {
  start([](std::span<const TokenId>, std::span<float> logits) {
    std::ranges::fill(logits, -1000.0F);
    logits[4] = 2.0F;
    logits[3] = 2.0F;
    logits[9] = 3.0F;
  });
  Request request{.prompt = {2}, .sampling = {.bias = {{9, -100}}}, .tokens_max = 1};
  request.logprobs = 2;
  auto stream = engine_->submit(request);
  ASSERT_TRUE(stream.ok());
  const auto token = (*stream)->next();
  ASSERT_TRUE(token.ok() && token.value());
  EXPECT_EQ((*token)->id, 3) << "ties go to the lowest id";
  // 1 + 2 / e = 1.7357589: log = 0.5514447
  EXPECT_NEAR((*token)->logprob, -1.5514447, 1e-6);
  ASSERT_EQ((*token)->top.size(), 2U);
  EXPECT_EQ((*token)->top[0].id, 9);
  EXPECT_NEAR((*token)->top[0].logprob, -0.5514447, 1e-6);
  EXPECT_EQ((*token)->top[1].id, 3);
}

TEST_F(EngineTest, APromptThatIsNoLongerWantedEndsBetweenItsSteps) {
  start(alphabet);
  bool asked = false;
  auto stream = engine_->submit({.prompt = std::vector<TokenId>(100, 2), .stop_asked = [&] {
                                   const bool now = forwarder_->steps.size() == 2;
                                   asked = asked || now;
                                   return now;
                                 }});
  ASSERT_TRUE(stream.ok()) << stream.status().message();
  const auto token = (*stream)->next();
  ASSERT_TRUE(token.ok()) << token.status().message();
  EXPECT_FALSE(token->has_value());
  EXPECT_TRUE(asked);
  EXPECT_EQ((*stream)->finish_reason(), FinishReason::kCancelled);
  EXPECT_EQ(forwarder_->steps, (std::vector<std::size_t>{16, 16}));
}

}  // namespace
}  // namespace cairn::engine
