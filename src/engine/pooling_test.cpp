// Prompts that become vectors, on a scripted model whose hidden states tell their history.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"
#include "engine/pooler.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kIds = 40;

class PoolingTest : public testing::Test {
 protected:
  void start(const EngineOptions& options) {
    auto engine = Engine::create(std::make_unique<FakeForwarder>(
                                     FakeForwarder::Options{.vocabulary = kIds,
                                                            .rows_max = options.step_rows,
                                                            .pages = options.pages,
                                                            .script =
                                                                [this](auto history, auto logits) {
                                                                  ++scripted_;
                                                                  scramble(history, logits);
                                                                }}),
                                 bytes_, options);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(*engine);
  }
  static Request ask(Pooling how, std::size_t length) {
    Request request{.sampling = {}, .tokens_max = 1, .pooling = how};
    for (std::size_t i = 0; i < length; ++i) {
      request.prompt.push_back(static_cast<TokenId>(1 + i % 7));
    }
    return request;
  }
  std::unique_ptr<Stream> submit(const Request& request) {
    auto stream = engine_->submit(request);
    EXPECT_TRUE(stream.ok()) << stream.status().message();
    return stream.ok() ? std::move(*stream) : nullptr;
  }
  static std::vector<float> read(Stream& stream) {
    EXPECT_FALSE(stream.next()->has_value()) << "a vector has no tokens";
    EXPECT_EQ(stream.finish_reason(), FinishReason::kPooled);
    return stream.pooled();
  }
  /// The same from the definition: the state at position p is p, p + 1 and the sum of the ids.
  static std::vector<float> expected(const Request& request) {
    std::vector<std::vector<double>> states;
    double sum = 0;
    for (std::size_t p = 0; p < request.prompt.size(); ++p) {
      sum += request.prompt[p];
      states.push_back({static_cast<double>(p), static_cast<double>(p + 1), sum});
    }
    std::vector<double> total = states.back();
    if (request.pooling == Pooling::kCls) total = states.front();
    if (request.pooling == Pooling::kMean) {
      total.assign(3, 0);
      for (const auto& state : states) {
        for (std::size_t i = 0; i < 3; ++i) total[i] += state[i];
      }
      for (double& each : total) each /= static_cast<double>(states.size());
    }
    return {total.begin(), total.end()};
  }

  FakeBytes bytes_{std::vector<std::string>(kIds, "x")};
  std::size_t scripted_ = 0;  // rows that logits were computed for
  std::unique_ptr<Engine> engine_;
};

constexpr Pooling kAll[] = {Pooling::kMean, Pooling::kLast, Pooling::kCls};

TEST_F(PoolingTest, AVectorIsWhatItsDefinitionSaysInAnyChunks) {
  for (const std::size_t rows : {4, 7, 64}) {
    start({.context = 200, .step_rows = rows, .sequences = 2, .pages = 14});
    for (const Pooling how : kAll) {
      for (const std::size_t length : {1, 2, 33, 200}) {
        const Request request = ask(how, length);
        EXPECT_EQ(read(*submit(request)), expected(request)) << rows << " " << length;
      }
    }
  }
}

TEST_F(PoolingTest, AVectorIsTheSameBesideAnswersAndFromTheCache) {
  start({.context = 200, .step_rows = 32, .sequences = 4, .pages = 28});
  Request answer = ask(Pooling::kMean, 50);
  answer.pooling.reset();
  answer.tokens_max = 60;
  const auto beside = submit(answer);
  for (const Pooling how : kAll) {
    const Request request = ask(how, 150);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(read(*submit(request)), expected(request));
  }
  EXPECT_EQ(submit(ask(Pooling::kLast, 150))->figures().prompt_tokens, 150U);
}

TEST_F(PoolingTest, AVectorIsTheSameAfterItLostItsPages) {
  start({.context = 400, .step_rows = 32, .sequences = 4, .pages = 16});
  std::vector<std::unique_ptr<Stream>> answers;
  Request answer = ask(Pooling::kMean, 60);
  answer.pooling.reset();
  answer.tokens_max = 300;
  answer.priority = -1;
  for (int i = 0; i < 2; ++i) answers.push_back(submit(answer));
  std::vector<std::unique_ptr<Stream>> vectors;
  const Request request = ask(Pooling::kMean, 350);
  for (int i = 0; i < 2; ++i) vectors.push_back(submit(request));
  for (auto& stream : answers) {
    while (stream->next()->has_value()) continue;
  }
  for (auto& stream : vectors) EXPECT_EQ(read(*stream), expected(request));
  EXPECT_GT(engine_->figures().preemptions, 0U);
}

TEST_F(PoolingTest, AVectorTakesNoLogitsAndLeavesNothingRunning) {
  start({.context = 64, .step_rows = 64, .sequences = 1, .pages = 2});
  EXPECT_EQ(read(*submit(ask(Pooling::kLast, 64))).size(), 3U);
  EXPECT_EQ(engine_->figures().running, 0U);
  EXPECT_EQ(scripted_, 0U);
}

TEST_F(PoolingTest, SeveralVectorsOfOneRequestAreRefused) {
  start({.context = 64, .step_rows = 64, .sequences = 1, .pages = 2});
  EXPECT_EQ(engine_->submit(ask(Pooling::kMean, 3), 2).status().message(),
            "n is 2, a request that pools has 1 vector");
}

TEST(PoolerTest, AStateThatComesAgainFromTheFirstOnBeginsAnew) {
  Pooler mean(Pooling::kMean, 2);
  const float wrong[] = {9.0F};
  const float right[] = {3.0F};
  mean.add(0, wrong);
  mean.add(0, right);
  EXPECT_FALSE(mean.complete());
  mean.add(1, right);
  EXPECT_TRUE(mean.complete());
  EXPECT_EQ(mean.vector(), std::vector<float>{3.0F});
}

TEST(PoolerTest, WordsOfPoolingAreKnown) {
  EXPECT_EQ(pooling_of("mean"), Pooling::kMean);
  EXPECT_EQ(pooling_of("last"), Pooling::kLast);
  EXPECT_EQ(pooling_of("cls"), Pooling::kCls);
  EXPECT_FALSE(pooling_of("max").has_value());
}

}  // namespace
}  // namespace cairn::engine
