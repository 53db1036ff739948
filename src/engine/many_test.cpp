// Many requests in one engine, on scripted models.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 40;

/// Repeats the first id of the prompt.
void echo(std::span<const TokenId> history, std::span<float> logits) {
  prefer(history.front(), logits);
}

class ManyTest : public testing::Test {
 protected:
  void start(FakeForwarder::Script script, const EngineOptions& options) {
    auto forwarder =
        std::make_unique<FakeForwarder>(FakeForwarder::Options{.vocabulary = kVocabulary,
                                                               .rows_max = options.step_rows,
                                                               .pages = options.pages,
                                                               .script = std::move(script)});
    forwarder_ = forwarder.get();
    auto engine = Engine::create(std::move(forwarder), bytes_, options);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(*engine);
  }
  static Request ask(TokenId first, std::size_t length, std::size_t tokens) {
    Request request;
    request.prompt.assign(length, first);
    request.tokens_max = tokens;
    return request;
  }
  std::unique_ptr<Stream> submit(const Request& request) {
    auto stream = engine_->submit(request);
    EXPECT_TRUE(stream.ok()) << stream.status().message();
    return stream.ok() ? std::move(*stream) : nullptr;
  }
  static std::vector<TokenId> read(Stream& stream, Status* status = nullptr) {
    std::vector<TokenId> ids;
    for (;;) {
      const auto token = stream.next();
      if (!token.ok() && status != nullptr) *status = token.status();
      if (!token.ok() || !token.value()) return ids;
      ids.push_back((*token)->id);
    }
  }
  std::size_t rows() const {
    return std::accumulate(forwarder_->steps.begin(), forwarder_->steps.end(), std::size_t{0});
  }

  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  FakeForwarder* forwarder_ = nullptr;
  std::unique_ptr<Engine> engine_;
};

TEST_F(ManyTest, RequestsShareTheStepsThatOneReaderDrives) {
  start(echo, {.context = 100, .step_rows = 64, .sequences = 4, .pages = 16});
  std::vector<std::unique_ptr<Stream>> streams;
  for (TokenId id = 1; id <= 4; ++id) streams.push_back(submit(ask(id, 5, 10)));
  EXPECT_EQ(read(*streams[0]), std::vector<TokenId>(10, 1));
  EXPECT_EQ(forwarder_->steps.front(), 20U) << "four prompts in one step";
  EXPECT_EQ(forwarder_->steps.size(), 10U);
  for (TokenId id = 2; id <= 4; ++id) {
    EXPECT_EQ(streams[static_cast<std::size_t>(id - 1)]->finish_reason(), FinishReason::kLength);
    EXPECT_EQ(read(*streams[static_cast<std::size_t>(id - 1)]), std::vector<TokenId>(10, id));
  }
  EXPECT_EQ(forwarder_->steps.size(), 10U) << "nothing was computed twice";
}

TEST_F(ManyTest, RequestsThatTogetherNeedMorePagesThanThereAreAllFinish) {  // K05
  start(echo, {.context = 500, .step_rows = 64, .sequences = 4, .pages = 32});
  std::vector<std::unique_ptr<Stream>> streams;
  for (TokenId id = 1; id <= 4; ++id) streams.push_back(submit(ask(id, 100, 400)));
  for (TokenId id = 1; id <= 4; ++id) {
    EXPECT_EQ(read(*streams[static_cast<std::size_t>(id - 1)]), std::vector<TokenId>(400, id));
  }
  EXPECT_GT(engine_->figures().preemptions, 0U);
}

TEST_F(ManyTest, APoolTooSmallForOneContextIsRefusedWithBothNumbers) {  // K01
  auto engine =
      Engine::create(std::make_unique<FakeForwarder>(FakeForwarder::Options{
                         .vocabulary = kVocabulary, .rows_max = 64, .pages = 32, .script = echo}),
                     bytes_, {.context = 8192, .step_rows = 64});
  EXPECT_EQ(engine.status().message(), "a context of 8192 positions needs 256 pages, there are 32");
}

TEST_F(ManyTest, IllegalIdsAreRefusedAndChangeNothingForOthers) {  // K10
  start(scramble, {.context = 100, .step_rows = 64, .sequences = 2, .pages = 8});
  const std::vector<TokenId> before = read(*submit(ask(3, 40, 20)));
  EXPECT_EQ(engine_->submit({.prompt = {99999999}, .sampling = {}}).status().message(),
            "prompt token 0 is id 99999999, the vocabulary has ids 0 to 39");
  EXPECT_EQ(read(*submit(ask(3, 40, 20))), before);
}

TEST_F(ManyTest, TheSamePromptGivesTheSameAnswerFromTheCacheAtEveryLength) {  // K14
  for (const std::size_t length : {63, 64, 65, 96, 300}) {
    start(scramble, {.context = 400, .step_rows = 64, .sequences = 2, .pages = 40});
    Request request = ask(3, length, 20);
    request.prompt.back() = 7;
    const std::vector<TokenId> first = read(*submit(request));
    auto again = submit(request);
    EXPECT_EQ(read(*again), first);
    EXPECT_EQ(again->figures().cached_tokens, (length - 1) / 32 * 32);
    request.reuse = PrefixReuse::kNo;
    EXPECT_EQ(read(*submit(request)), first);
    request.prompt.back() = 8;
    const std::vector<TokenId> other = read(*submit(request));
    request.reuse = PrefixReuse::kYes;
    EXPECT_EQ(read(*submit(request)), other) << "all but the last id are the same";
  }
}

TEST_F(ManyTest, SeveralAnswersComputeThePromptOnceAndAreThoseOfTheirChoice) {
  start(scramble, {.context = 200, .step_rows = 64, .sequences = 4, .pages = 40});
  Request request = ask(3, 70, 20);
  request.sampling = {.temperature = 1, .seed = 5};
  auto streams = engine_->submit(request, 3);
  ASSERT_TRUE(streams.ok());
  std::vector<std::vector<TokenId>> answers;
  for (auto& stream : *streams) answers.push_back(read(*stream));
  EXPECT_EQ(rows(), 70U + 3 * 19) << "the last id of an answer is never computed";
  EXPECT_EQ(engine_->figures().cache.copied_pages, 2U) << "the prompt's last page, for two of them";
  EXPECT_NE(answers[0], answers[1]);
  for (std::size_t choice = 0; choice < 3; ++choice) {
    request.choice = choice;
    EXPECT_EQ(read(*submit(request)), answers[choice]);
  }
  EXPECT_EQ(engine_->submit(request, 0).status().message(), "n is 0, accepted is 1 or more");
}

TEST_F(ManyTest, AnswersGoOnWhenTheOneThatComputesTheirPromptIsDropped) {
  start(scramble, {.context = 200, .step_rows = 16, .sequences = 4, .pages = 40});
  Request request = ask(3, 70, 10);
  auto streams = engine_->submit(request, 3);
  auto other = submit(ask(4, 3, 1));
  ASSERT_TRUE(streams.ok());
  (void)read(*other);
  (*streams)[0].reset();
  (*streams)[1].reset();
  const std::vector<TokenId> answer = read(*(*streams)[2]);
  EXPECT_EQ(answer, read(*submit(request)));
  EXPECT_EQ(answer.size(), 10U);
}

TEST_F(ManyTest, ADeadlineEndsAnAnswerWithWhatItHas) {
  double now = 0;
  start(
      [&](std::span<const TokenId> history, std::span<float> logits) {
        now += 1;
        echo(history, logits);
      },
      {.context = 100, .step_rows = 64, .pages = 4, .clock = [&] { return now; }});
  Request request = ask(3, 5, 50);
  request.deadline_s = 4.5;
  auto stream = submit(request);
  EXPECT_EQ(read(*stream), std::vector<TokenId>(5, 3));
  EXPECT_EQ(stream->finish_reason(), FinishReason::kDeadline);
  EXPECT_EQ(name_of(FinishReason::kDeadline), "deadline");
  request.deadline_s = 0;
  EXPECT_EQ(engine_->submit(request).status().message(),
            "deadline_s is 0, accepted is more than 0 seconds");
}

TEST_F(ManyTest, LowerPrioritiesAreServedFirstAndAFullQueueIsRefused) {
  start(echo, {.context = 100, .step_rows = 64, .pages = 4, .waiting_max = 3});
  auto first = submit(ask(1, 5, 20));
  ASSERT_TRUE(first->next().ok());
  Request request = ask(2, 5, 5);
  request.priority = 3;
  auto late = submit(request);
  request.priority = 1;
  auto soon = submit(request);
  auto last = submit(ask(4, 5, 5));
  EXPECT_EQ(engine_->submit(request).status().code(), StatusCode::kUnavailable);
  (void)read(*last);
  EXPECT_FALSE(soon->finish_reason().has_value());
  (void)read(*soon);
  EXPECT_FALSE(late->finish_reason().has_value());
  EXPECT_EQ(read(*late).size(), 5U);
  request.priority = std::numeric_limits<double>::infinity();
  EXPECT_EQ(engine_->submit(request).status().message(),
            "priority is inf, accepted is a finite number");
}

TEST_F(ManyTest, NonFiniteLogitsEndTheirOwnRequestOnly) {  // P11
  start(
      [](std::span<const TokenId> history, std::span<float> logits) {
        echo(history, logits);
        if (history.front() == 2 && history.size() == 8) {
          logits[5] = std::numeric_limits<float>::quiet_NaN();
        }
      },
      {.context = 100, .step_rows = 64, .sequences = 3, .pages = 12});
  auto a = submit(ask(1, 5, 20));
  auto b = submit(ask(2, 5, 20));
  auto c = submit(ask(3, 5, 20));
  Status status;
  EXPECT_EQ(read(*b, &status), std::vector<TokenId>(3, 2));
  EXPECT_EQ(status.message(), "non-finite logits at position 8");
  EXPECT_EQ(b->finish_reason(), FinishReason::kError);
  EXPECT_EQ(read(*a), std::vector<TokenId>(20, 1));
  EXPECT_EQ(read(*c), std::vector<TokenId>(20, 3));
}

TEST_F(ManyTest, OptionsThatContradictEachOtherAreRefused) {
  const auto refusal = [&](const EngineOptions& options) {
    auto forwarder = std::make_unique<FakeForwarder>(FakeForwarder::Options{
        .vocabulary = kVocabulary, .rows_max = 64, .pages = 32, .script = echo});
    return Engine::create(std::move(forwarder), bytes_, options).status().message();
  };
  EXPECT_EQ(refusal({.context = 100, .step_rows = 4, .sequences = 5}),
            "5 sequences at once do not fit into steps of 4 rows");
  EXPECT_EQ(refusal({.context = 100, .step_rows = 64, .sequences = 9}),
            "9 sequences at once, the model takes 64 rows of a step and 8 of logits");
  EXPECT_EQ(refusal({.context = 100, .sequences = 0}), "0 sequences at once, it needs 1 or more");
}

}  // namespace
}  // namespace cairn::engine
