// Log-probabilities of prompts, on a model that is a hash of its history.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 40;

class PromptLogprobsTest : public testing::Test {
 protected:
  void start(const EngineOptions& options, FakeForwarder::Script script = scramble,
             std::size_t pages = 40) {
    auto forwarder = std::make_unique<FakeForwarder>(
        FakeForwarder::fitting(options, kVocabulary + 3, pages, std::move(script)));
    forwarder_ = forwarder.get();
    auto engine = Engine::create(std::move(forwarder), bytes_, options);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(*engine);
  }
  static Request ask(std::size_t prompt, std::size_t tokens, std::optional<std::size_t> top) {
    Request request;
    for (std::size_t i = 0; i < prompt; ++i) {
      request.prompt.push_back(static_cast<TokenId>((i * i + 3) % kVocabulary));
    }
    request.tokens_max = tokens;
    request.prompt_logprobs = top;
    return request;
  }
  std::unique_ptr<Stream> submit(const Request& request) {
    auto stream = engine_->submit(request);
    EXPECT_TRUE(stream.ok()) << stream.status().message();
    return stream.ok() ? std::move(*stream) : nullptr;
  }
  static std::vector<TokenId> read(Stream& stream) {
    std::vector<TokenId> ids;
    for (auto token = stream.next(); token.ok() && token->has_value(); token = stream.next()) {
      ids.push_back((*token)->id);
    }
    return ids;
  }
  std::shared_ptr<const PromptLogprobs> told(const Request& request) {
    const auto stream = submit(request);
    if (stream == nullptr) return nullptr;
    (void)read(*stream);
    return stream->prompt_logprobs();
  }

  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  FakeForwarder* forwarder_ = nullptr;
  std::unique_ptr<Engine> engine_;
};

void expect_same(const PromptLogprobs& a, const PromptLogprobs& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].id, b[i].id) << i;
    EXPECT_EQ(a[i].logprob, b[i].logprob) << i;
    EXPECT_EQ(a[i].rank, b[i].rank) << i;
    ASSERT_EQ(a[i].top.size(), b[i].top.size()) << i;
    for (std::size_t k = 0; k < a[i].top.size(); ++k) {
      EXPECT_EQ(a[i].top[k].id, b[i].top[k].id) << i;
      EXPECT_EQ(a[i].top[k].logprob, b[i].top[k].logprob) << i;
    }
  }
}

/// The model's own words about the token behind `history`, added up as the textbook has it.
void expect_of_model(const PromptToken& token, std::span<const TokenId> history) {
  std::vector<float> logits(kVocabulary + 3);
  scramble(history, logits);
  logits.resize(kVocabulary);  // ids past the tokenizer's are padding
  long double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<long double>(logit));
  const auto logprob = [&](TokenId id) {
    return static_cast<double>(logits[static_cast<std::size_t>(id)] - std::log(sum));
  };
  EXPECT_NEAR(token.logprob, logprob(token.id), 2e-6 * std::abs(logprob(token.id)));
  std::vector<TokenId> order(kVocabulary);
  for (std::size_t id = 0; id < order.size(); ++id) order[id] = static_cast<TokenId>(id);
  std::ranges::stable_sort(order, std::ranges::greater(), logprob);
  EXPECT_EQ(order[token.rank - 1], token.id);
  for (std::size_t k = 0; k < token.top.size(); ++k) {
    EXPECT_EQ(token.top[k].id, order[k]);
    EXPECT_NEAR(token.top[k].logprob, logprob(order[k]), 2e-6 * std::abs(logprob(order[k])));
  }
}

TEST_F(PromptLogprobsTest, EveryTokenButTheFirstIsToldAsTheModelHasIt) {
  start({.context = 200, .step_rows = 64, .sequences = 4});
  const Request request = ask(90, 3, 2);
  const auto all = told(request);
  ASSERT_NE(all, nullptr);
  ASSERT_EQ(all->size(), 89U);
  for (std::size_t i = 0; i < all->size(); ++i) {
    EXPECT_EQ((*all)[i].id, request.prompt[i + 1]);
    EXPECT_EQ((*all)[i].top.size(), 2U);
    expect_of_model((*all)[i], std::span(request.prompt).first(i + 1));
  }
}

TEST_F(PromptLogprobsTest, TheyAreTheModelsOwnWhateverTheAnswerIsSampledWith) {
  start({.context = 200, .step_rows = 64});
  Request request = ask(30, 3, 0);
  const auto plain = told(request);
  request.sampling = {.repetition_penalty = 1.5, .temperature = 0.3, .seed = 3};
  request.logprobs = 1;
  request.logprobs_of = LogprobsOf::kProcessed;
  expect_same(*told(request), *plain);
}

TEST_F(PromptLogprobsTest, ChunksPagesOfOthersAndGuessesChangeNothing) {
  start({.context = 200, .step_rows = 200, .sequences = 8});
  const Request request = ask(100, 20, 3);
  const auto expected = told(request);
  const std::vector<TokenId> answer = read(*submit(request));
  for (const std::size_t sequences : {1, 3, 8}) {
    start({.context = 200, .step_rows = 16, .sequences = sequences, .lookup = {.tokens_max = 4}});
    EXPECT_EQ(read(*submit(ask(100, 20, {}))), answer) << "it leaves its pages behind";
    const auto stream = submit(request);
    EXPECT_EQ(read(*stream), answer);
    expect_same(*stream->prompt_logprobs(), *expected);
    EXPECT_EQ(stream->figures().cached_tokens, 0U) << "pages hold no logits";
  }
}

TEST_F(PromptLogprobsTest, NoStepHasMoreRowsOfLogitsThanTheModelTakes) {
  // The fake checks it; beside the prompt three answers go on, and another prompt gets its turn.
  start({.context = 200, .step_rows = 64, .sequences = 5});
  std::vector<std::unique_ptr<Stream>> others;
  for (TokenId id = 0; id < 3; ++id) {
    Request other = ask(20, 60, {});
    other.prompt[0] = id;
    others.push_back(submit(other));
  }
  auto first = others[0]->next();
  ASSERT_TRUE(first.ok() && first->has_value());
  const auto scored = submit(ask(80, 5, 1));
  auto late = submit(ask(70, 5, {}));
  EXPECT_EQ(read(*late).size(), 5U);
  EXPECT_FALSE(scored->finish_reason()) << "the other prompt did not wait for it";
  EXPECT_EQ(read(*scored).size(), 5U);
  EXPECT_EQ(scored->prompt_logprobs()->size(), 79U);
  for (const auto& other : others) EXPECT_EQ(read(*other).size(), other == others[0] ? 59U : 60U);
}

TEST_F(PromptLogprobsTest, WhatWasReadBeforeAPreemptionIsNotReadAgain) {
  // 5 pages: the scored prompt of 4 loses its own when the older answer grows.
  start({.context = 150, .step_rows = 64, .sequences = 3}, scramble, 5);
  const Request request = ask(120, 4, 2);
  const auto expected = told(request);
  engine_->forget();
  Request older = ask(31, 60, {});
  older.priority = -1;
  const auto growing = submit(older);
  auto first = growing->next();
  ASSERT_TRUE(first.ok() && first->has_value());
  const auto scored = submit(request);
  (void)read(*growing);
  (void)read(*scored);
  EXPECT_GT(scored->figures().preemptions, 0U);
  expect_same(*scored->prompt_logprobs(), *expected);
}

TEST_F(PromptLogprobsTest, WithNoTokenToGenerateThePromptIsTheWholeAnswer) {
  start({.context = 200, .step_rows = 64, .sequences = 2});
  const auto stream = submit(ask(50, 0, 1));
  EXPECT_EQ(read(*stream), std::vector<TokenId>());
  EXPECT_EQ(stream->finish_reason(), FinishReason::kLength);
  expect_same(*stream->prompt_logprobs(), *told(ask(50, 9, 1)));
  const auto full = submit(ask(200, 0, 1));
  (void)read(*full);
  EXPECT_EQ(full->prompt_logprobs()->size(), 199U) << "it fills the context";
  EXPECT_EQ(told(ask(1, 0, 1))->size(), 0U) << "nothing stands before a single token";
  EXPECT_EQ(engine_->submit(ask(50, 0, {})).status().message(),
            "the most tokens to generate is 0, accepted is 1 or more");
}

TEST_F(PromptLogprobsTest, AnswersToOnePromptShareThem) {
  start({.context = 200, .step_rows = 64, .sequences = 2});
  for (const std::size_t tokens : {0, 6}) {
    const auto expected = told(ask(70, tokens, 1));
    auto streams = engine_->submit(ask(70, tokens, 1), 3);
    ASSERT_TRUE(streams.ok());
    for (const auto& stream : *streams) {
      EXPECT_EQ(read(*stream).size(), tokens);
      expect_same(*stream->prompt_logprobs(), *expected);
    }
    EXPECT_EQ((*streams)[0]->prompt_logprobs(), (*streams)[2]->prompt_logprobs());
  }
}

TEST_F(PromptLogprobsTest, AnswersGoOnWhenTheOneThatReadsTheirPromptIsDropped) {
  start({.context = 200, .step_rows = 16, .sequences = 2});
  const auto expected = told(ask(70, 6, 1));
  auto streams = engine_->submit(ask(70, 6, 1), 2);
  ASSERT_TRUE(streams.ok());
  const auto other = submit(ask(3, 2, {}));
  (void)read(*other);  // some of the prompt is computed meanwhile
  streams->erase(streams->begin());
  EXPECT_EQ(read(*streams->front()).size(), 6U);
  expect_same(*streams->front()->prompt_logprobs(), *expected);
}

TEST_F(PromptLogprobsTest, AreNullWhereNobodyAskedAndBeforeThePromptIsComputed) {
  start({.context = 200, .step_rows = 64});
  EXPECT_EQ(told(ask(20, 3, {})), nullptr);
  const auto stream = submit(ask(20, 3, 1));
  EXPECT_EQ(stream->prompt_logprobs(), nullptr);
  stream->cancel();
  EXPECT_EQ(stream->prompt_logprobs(), nullptr);
}

TEST_F(PromptLogprobsTest, ALogitThatIsNoNumberFailsTheRequestAndThoseOfItsPromptAlone) {
  const auto script = [](std::span<const TokenId> history, std::span<float> logits) {
    scramble(history, logits);
    const bool bad = history.size() == 40 && history[0] == 3;
    if (bad) logits[5] = std::numeric_limits<float>::quiet_NaN();
  };
  for (const std::size_t prompt : {41, 90}) {
    start({.context = 200, .step_rows = 64, .sequences = 4}, script);
    auto streams = engine_->submit(ask(prompt, 5, 1), 2);
    ASSERT_TRUE(streams.ok());
    Request other = ask(60, 5, 1);
    other.prompt[0] = 4;
    const auto beside = submit(other);
    for (const auto& stream : *streams) {
      EXPECT_EQ(stream->next().status().message(), "non-finite logits at position 39");
      EXPECT_EQ(stream->finish_reason(), FinishReason::kError);
    }
    EXPECT_EQ(read(*beside).size(), 5U);
    EXPECT_EQ(beside->prompt_logprobs()->size(), 59U);
    engine_->forget();
    EXPECT_EQ(engine_->free_pages(), 40U);
  }
}

TEST_F(PromptLogprobsTest, MoreThanTheVocabularyIsRefused) {
  start({.context = 200, .step_rows = 64});
  EXPECT_EQ(engine_->submit(ask(9, 1, 41)).status().message(),
            "prompt_logprobs is 41, the vocabulary has 40 ids");
}

TEST_F(PromptLogprobsTest, ASelfCheckReadsThePromptAgain) {
  bool wrong = false;
  const auto script = [&](std::span<const TokenId> history, std::span<float> logits) {
    scramble(history, logits);
    if (wrong && history.size() == 12) logits[7] += 1;
  };
  start({.context = 200, .step_rows = 16, .sequences = 2, .self_check = 1}, script);
  (void)told(ask(40, 5, 1));
  engine_->finish_checks();
  EXPECT_EQ(engine_->figures().self_check->checked, 1U);
  EXPECT_EQ(engine_->figures().self_check->disagreements, 0U);
  engine_->forget();
  const auto stream = submit(ask(40, 5, 1));
  wrong = true;
  (void)read(*stream);
  wrong = false;
  engine_->finish_checks();
  EXPECT_EQ(engine_->figures().self_check->disagreements, 1U);
  EXPECT_NE(engine_->figures().self_check->last.find("of prompt token 12 is"), std::string::npos)
      << engine_->figures().self_check->last;
}

}  // namespace
}  // namespace cairn::engine
