// What an engine tells beside ids: why an answer ended, how close it was to another, probabilities.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 40;

class TellingTest : public testing::Test {
 protected:
  std::unique_ptr<Stream> ask(FakeForwarder::Script script, const Request& request) {
    auto forwarder = std::make_unique<FakeForwarder>(FakeForwarder::Options{
        .vocabulary = kVocabulary, .rows_max = 16, .pages = 8, .script = std::move(script)});
    auto engine = Engine::create(std::move(forwarder), bytes_, {.context = 100, .step_rows = 16});
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(*engine);
    auto stream = engine_->submit(request);
    EXPECT_TRUE(stream.ok()) << stream.status().message();
    return stream.ok() ? std::move(*stream) : nullptr;
  }
  static std::vector<Token> read(Stream& stream) {
    std::vector<Token> tokens;
    for (;;) {
      auto token = stream.next();
      EXPECT_TRUE(token.ok()) << token.status().message();
      if (!token.ok() || !token->has_value()) return tokens;
      tokens.push_back(std::move(**token));
    }
  }

  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  std::unique_ptr<Engine> engine_;
};

void three_ids(std::span<const TokenId> history, std::span<float> logits) {
  prefer(static_cast<TokenId>(history.size() % 3), logits);
}

TEST_F(TellingTest, AnAnswerThatRepeatsItselfEndsForThatReason) {
  Request request{.prompt = {5}};
  request.sampling.repetition_pattern_max = 4;
  request.sampling.repetition_count = 3;
  auto stream = ask(three_ids, request);
  EXPECT_EQ(read(*stream).size(), 9U);
  EXPECT_EQ(stream->finish_reason(), FinishReason::kRepetition);
  EXPECT_EQ(name_of(FinishReason::kRepetition), "repetition");
}

TEST_F(TellingTest, FiguresSayHowCloseTokensWereToBeingOthers) {
  // Two ids in a near-tie at every third token, which the gap of 0.005 decides.
  const auto script = [](std::span<const TokenId> history, std::span<float> logits) {
    prefer(4, logits);
    logits[6] = history.size() % 3 == 0 ? 7.995F : 1;
  };
  Request request{.prompt = {5, 5}};
  request.tokens_max = 6;
  auto stream = ask(script, request);
  (void)read(*stream);
  EXPECT_NEAR(stream->figures().near_ties.gap_min, 0.005F, 1e-6);
  EXPECT_EQ(stream->figures().near_ties.close, 2U);
  EXPECT_EQ(stream->figures().near_ties.steered, 0U);

  // Decides the first of the two; by the second both ids are in the answer.
  request.sampling.presence_penalty = 0.01;
  stream.reset();  // before its engine
  stream = ask(script, request);
  (void)read(*stream);
  EXPECT_EQ(stream->figures().near_ties.steered, 1U);
}

TEST_F(TellingTest, ProcessedLogprobsAreThoseOfTheDistributionThatWasDrawnFrom) {
  const auto script = [](std::span<const TokenId>, std::span<float> logits) {
    std::ranges::fill(logits, -50.0F);
    logits[2] = 4;
    logits[3] = 3;
    logits[4] = 2;
  };
  Request request{.prompt = {5}, .sampling = {.temperature = 0.5, .top_k = 2, .seed = 3}};
  request.tokens_max = 1;
  request.logprobs = 2;
  request.logprobs_of = LogprobsOf::kProcessed;
  request.logprob_ids = {4, 3};
  const std::vector<Token> tokens = read(*ask(script, request));
  ASSERT_EQ(tokens.size(), 1U);
  const double second = -2 - std::log(1 + std::exp(-2.0));  // logits 8 and 6 are in
  ASSERT_EQ(tokens[0].top.size(), 2U);
  EXPECT_EQ(tokens[0].top[0].id, 2);
  EXPECT_NEAR(tokens[0].top[0].logprob, second + 2, 1e-6);
  EXPECT_NEAR(tokens[0].top[1].logprob, second, 1e-6);
  ASSERT_EQ(tokens[0].asked.size(), 2U);
  EXPECT_EQ(tokens[0].asked[0].id, 4);
  EXPECT_EQ(tokens[0].asked[0].logprob, -std::numeric_limits<float>::infinity()) << "cut away";
  EXPECT_NEAR(tokens[0].asked[1].logprob, second, 1e-6);
}

TEST_F(TellingTest, ChosenIdsAreToldAsTheModelHasThemByDefault) {
  Request request{.prompt = {5}, .sampling = {.bias = {{4, -100}}}};
  request.tokens_max = 2;
  request.logprobs = 0;
  request.logprob_ids = {9, 4};
  const std::vector<Token> tokens = read(*ask(three_ids, request));
  ASSERT_EQ(tokens.size(), 2U);
  const double rest = -std::log(std::exp(8.0) + kVocabulary - 1);
  for (const Token& token : tokens) {
    EXPECT_TRUE(token.top.empty());
    ASSERT_EQ(token.asked.size(), 2U);
    EXPECT_NEAR(token.asked[0].logprob, rest, 1e-5);
    EXPECT_NEAR(token.asked[1].logprob, rest, 1e-5);
  }
}

TEST_F(TellingTest, IdsThatCanNotBeToldAreRefused) {
  auto stream = ask(three_ids, {.prompt = {5}});
  const auto refusal = [&](const Request& request) {
    return engine_->submit(request).status().message();
  };
  Request request{.prompt = {5}};
  request.logprob_ids = {4};
  EXPECT_EQ(refusal(request),
            "logprob ids were asked for without logprobs, which they are part of");
  request.logprobs = 0;
  request.logprob_ids = {4, 40};
  EXPECT_EQ(refusal(request), "logprob id 1 is id 40, the vocabulary has ids 0 to 39");
  request.logprob_ids.assign(kLogprobIdsMax + 1, 4);
  EXPECT_EQ(refusal(request), "1025 logprob ids, accepted are up to 1024");
}

TEST_F(TellingTest, ForcedIdsAreReplayedWithTheirProbabilities) {
  Request request{.prompt = {5}};
  request.sampling.forced_ids = {7, 8};
  request.tokens_max = 3;
  request.logprobs = 1;
  const std::vector<Token> tokens = read(*ask(three_ids, request));
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[0].id, 7);
  EXPECT_EQ(tokens[1].id, 8);
  EXPECT_EQ(tokens[2].id, 0) << "what comes after them is the model's own";
  EXPECT_LT(tokens[0].logprob, -7);
  EXPECT_EQ(tokens[0].top[0].id, 1);
}

}  // namespace
}  // namespace cairn::engine
