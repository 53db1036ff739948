#include "engine/self_check.h"

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 40;

class SelfCheckTest : public testing::Test {
 protected:
  void start(FakeForwarder::Script script, double share, std::size_t pages = 40) {
    auto forwarder = std::make_unique<FakeForwarder>(FakeForwarder::Options{
        .vocabulary = kVocabulary, .rows_max = 32, .pages = pages, .script = std::move(script)});
    forwarder_ = forwarder.get();
    auto engine = Engine::create(std::move(forwarder), bytes_,
                                 {.context = 200,
                                  .step_rows = 32,
                                  .sequences = 4,
                                  .lookup = {.tokens_max = 4},
                                  .self_check = share});
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(*engine);
  }
  /// Reads `count` answers that are generated beside each other.
  void ask(std::size_t count, const Request& like) {
    std::vector<std::unique_ptr<Stream>> streams;
    for (std::size_t i = 0; i < count; ++i) {
      Request request = like;
      request.prompt[0] = static_cast<TokenId>(i % kVocabulary);
      auto stream = engine_->submit(request);
      ASSERT_TRUE(stream.ok()) << stream.status().message();
      streams.push_back(std::move(*stream));
    }
    for (auto& stream : streams) {
      for (auto token = stream->next(); token.ok() && token->has_value(); token = stream->next()) {
      }
    }
  }
  static Request like(std::size_t prompt, std::size_t tokens) {
    Request request{.prompt = std::vector<TokenId>(prompt, 3), .sampling = {.temperature = 1}};
    request.tokens_max = tokens;
    request.logprobs = 1;
    return request;
  }
  SelfCheckFigures figures() const { return *engine_->figures().self_check; }

  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  FakeForwarder* forwarder_ = nullptr;
  std::unique_ptr<Engine> engine_;
};

TEST_F(SelfCheckTest, EveryAnswerIsComputedAgainAloneAndComesOutTheSame) {
  start(stutter, 1);
  ask(20, like(40, 15));
  engine_->finish_checks();
  EXPECT_EQ(figures().checked, 20U);
  EXPECT_EQ(figures().disagreements, 0U) << figures().last;
  EXPECT_EQ(figures().waiting, 0U);
  engine_->forget();
  EXPECT_EQ(engine_->free_pages(), 40U);
}

TEST_F(SelfCheckTest, AnAnswerThatItsCompanyChangedIsCountedAndTold) {
  const auto script = [this](std::span<const TokenId> history, std::span<float> logits) {
    scramble(history, logits);
    const bool company = !forwarder_->steps.empty() && forwarder_->steps.back() > 1;
    if (company && history.size() == 4) logits[5] = 100;  // the planted fault
  };
  start(script, 1);
  Request request = like(1, 6);
  request.sampling.temperature = 0;
  ask(3, request);
  engine_->finish_checks();
  EXPECT_EQ(figures().checked, 3U);
  EXPECT_EQ(figures().disagreements, 3U);
  EXPECT_NE(figures().last.find("id 3 is 5, alone "), std::string::npos) << figures().last;
}

TEST_F(SelfCheckTest, ABitOfALogProbabilityIsADifference) {
  const auto script = [this](std::span<const TokenId> history, std::span<float> logits) {
    scramble(history, logits);
    if (forwarder_->steps.back() > 1) logits[0] += 0.01F;
  };
  start(script, 1);
  Request request = like(1, 6);
  request.sampling.temperature = 0;
  ask(2, request);
  engine_->finish_checks();
  EXPECT_EQ(figures().disagreements, 2U);
  EXPECT_NE(figures().last.find("log-probability of id"), std::string::npos) << figures().last;
}

TEST_F(SelfCheckTest, AShareIsAShareAndNoneIsNone) {
  start(scramble, 0.25);
  for (int i = 0; i < 20; ++i) {
    ask(20, like(3, 2));
    engine_->finish_checks();
  }
  EXPECT_GT(figures().checked, 70U);
  EXPECT_LT(figures().checked, 130U);
  start(scramble, 0);
  EXPECT_FALSE(engine_->figures().self_check.has_value());
}

TEST_F(SelfCheckTest, ChecksGiveWayToRequestsThatNeedTheirPages) {
  start(stutter, 1, 7);  // one context and no more
  for (int i = 0; i < 6; ++i) ask(4, like(90, 60));
  engine_->finish_checks();
  EXPECT_EQ(figures().checked + figures().skipped, 24U);
  EXPECT_EQ(figures().disagreements, 0U) << figures().last;
  EXPECT_GT(figures().checked, 0U);
}

TEST_F(SelfCheckTest, WhatIsTooMuchIsCountedNotQueued) {
  start(scramble, 1, 40);
  std::vector<std::unique_ptr<Stream>> streams;
  ask(4, like(150, 1));
  // Answers of one step each end faster than checks of many steps.
  for (int i = 0; i < 40; ++i) ask(4, like(1, 1));
  engine_->finish_checks();
  EXPECT_EQ(figures().checked + figures().skipped, 164U);
}

TEST_F(SelfCheckTest, AShareOutOfRangeIsRefused) {
  auto engine = Engine::create(
      std::make_unique<FakeForwarder>(FakeForwarder::Options{
          .vocabulary = kVocabulary, .rows_max = 32, .pages = 8, .script = scramble}),
      bytes_, {.context = 64, .step_rows = 32, .self_check = 1.5});
  EXPECT_EQ(engine.status().message(), "self_check is 1.5, accepted is 0 to 1");
}

}  // namespace
}  // namespace cairn::engine
