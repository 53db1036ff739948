// What becomes of answers that reach the context: they stop, shift, or are never begun.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

using testing::HasSubstr;

constexpr std::size_t kVocabulary = 40;

/// What an engine is made with.
struct EngineSetup {
  ContextFull on_full = ContextFull::kShift;
  std::size_t context = 150;
  std::size_t kept = 0;
  std::size_t step_rows = 64;
  std::size_t sequences = 1;
  std::size_t pages = 0;
  std::vector<CacheGroup> groups = {CacheGroup{}};
};

/// The answer that the rules give: one id after the other, each a function of the ids that are
/// left.
std::vector<TokenId> expected(std::vector<TokenId> ids, std::size_t count,
                              const EngineSetup& setup) {
  std::vector<TokenId> answer;
  std::vector<float> logits(kVocabulary);
  const std::size_t kept = (setup.kept + 31) / 32 * 32;
  while (answer.size() < count) {
    if (ids.size() > setup.context) {
      const std::size_t between = (ids.size() - 1 - kept) / 32;
      const std::size_t gone = std::max<std::size_t>(1, between / 2) * 32;
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(kept),
                ids.begin() + static_cast<std::ptrdiff_t>(kept + gone));
    }
    scramble(ids, logits);
    const auto best = std::ranges::max_element(logits) - logits.begin();
    answer.push_back(static_cast<TokenId>(best));
    ids.push_back(answer.back());
  }
  return answer;
}

std::vector<TokenId> prompt_of(std::size_t size, TokenId first) {
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < size; ++i) {
    ids.push_back(static_cast<TokenId>((static_cast<std::size_t>(first) + i * 7) % kVocabulary));
  }
  return ids;
}

class ContextFullTest : public testing::Test {
 protected:
  Status start(const EngineSetup& setup) {
    const std::size_t pages = setup.pages > 0 ? setup.pages : pages_for(setup.context);
    auto engine = Engine::create(
        std::make_unique<FakeForwarder>(FakeForwarder::Options{.vocabulary = kVocabulary,
                                                               .rows_max = setup.step_rows,
                                                               .pages = pages,
                                                               .script = &scramble,
                                                               .groups = setup.groups}),
        bytes_,
        {.context = setup.context,
         .step_rows = setup.step_rows,
         .sequences = setup.sequences,
         .on_full = setup.on_full,
         .tokens_kept = setup.kept});
    if (engine.ok()) engine_ = std::move(*engine);
    return engine.status();
  }

  static std::vector<TokenId> ids_of(Stream& stream) {
    std::vector<TokenId> ids;
    while (const auto token = stream.next().value()) ids.push_back(token->id);
    return ids;
  }

  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  std::unique_ptr<Engine> engine_;
};

TEST_F(ContextFullTest, AShiftKeepsTheBeginningDropsWholePagesAndGoesOn) {
  for (const std::size_t kept : {0, 1, 32, 40, 64}) {
    const EngineSetup setup{.kept = kept};
    ASSERT_TRUE(start(setup).ok());
    const std::vector<TokenId> prompt = prompt_of(100, 3);
    auto stream = engine_->submit({.prompt = prompt, .tokens_max = 400});
    ASSERT_TRUE(stream.ok()) << stream.status().message();
    EXPECT_EQ(ids_of(**stream), expected(prompt, 400, setup)) << kept;
    EXPECT_EQ((*stream)->finish_reason(), FinishReason::kLength);
    const RequestFigures figures = (*stream)->figures();
    EXPECT_EQ(figures.prompt_tokens, 100U);
    EXPECT_GE(figures.dropped_tokens, 100U + 399 - 150);
    EXPECT_EQ(figures.dropped_tokens % 32, 0U);
  }
}

TEST_F(ContextFullTest, AShiftedAnswerIsTheSameInAnyCompanyAndAnyChunks) {
  for (const std::size_t step_rows : {3, 17, 64}) {
    const EngineSetup setup{.kept = 32, .step_rows = step_rows, .sequences = 3, .pages = 8};
    ASSERT_TRUE(start(setup).ok());
    std::vector<std::unique_ptr<Stream>> streams;
    for (TokenId first = 0; first < 5; ++first) {
      const auto size = static_cast<std::size_t>(20 + 30 * first);
      auto stream = engine_->submit({.prompt = prompt_of(size, first), .tokens_max = 200});
      ASSERT_TRUE(stream.ok()) << stream.status().message();
      streams.push_back(std::move(*stream));
    }
    for (TokenId first = 0; first < 5; ++first) {
      const auto size = static_cast<std::size_t>(20 + 30 * first);
      EXPECT_EQ(ids_of(*streams[static_cast<std::size_t>(first)]),
                expected(prompt_of(size, first), 200, setup))
          << step_rows << ", " << first;
    }
    EXPECT_GT(engine_->figures().preemptions, 0U) << "eight pages are too few for three";
  }
}

TEST_F(ContextFullTest, AnswersToOnePromptThatFillsTheContextShiftEachOnItsOwn) {
  const EngineSetup setup{.sequences = 2};
  ASSERT_TRUE(start(setup).ok());
  const std::vector<TokenId> prompt = prompt_of(150, 1);
  auto streams = engine_->submit({.prompt = prompt, .tokens_max = 60}, 3);
  ASSERT_TRUE(streams.ok()) << streams.status().message();
  for (const auto& stream : *streams) {  // greedy: the choice makes no difference
    EXPECT_EQ(ids_of(*stream), expected(prompt, 60, setup));
  }
}

TEST_F(ContextFullTest, AShiftDrawsNewNumbersForEveryToken) {
  ASSERT_TRUE(start({.context = 64}).ok());
  Request request{.prompt = prompt_of(10, 1), .tokens_max = 300};
  request.sampling.temperature = 100;  // nearly even: equal draws give equal ids
  request.sampling.seed = 5;
  auto stream = engine_->submit(request);
  ASSERT_TRUE(stream.ok());
  const std::vector<TokenId> ids = ids_of(**stream);
  ASSERT_EQ(ids.size(), 300U);
  std::size_t repeats = 0;
  for (std::size_t i = 100; i < 300; ++i) repeats += ids[i] == ids[i - 32] ? 1 : 0;
  EXPECT_LT(repeats, 40U) << "positions that come again after a shift must not draw again";
}

TEST_F(ContextFullTest, StoppingIsTheDefaultAndEndsWithLength) {
  ASSERT_TRUE(start({.on_full = ContextFull::kStop}).ok());
  auto stream = engine_->submit({.prompt = prompt_of(100, 3), .tokens_max = 400});
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(ids_of(**stream).size(), 51U);
  EXPECT_EQ((*stream)->finish_reason(), FinishReason::kLength);
  EXPECT_EQ((*stream)->figures().dropped_tokens, 0U);
  EXPECT_EQ(EngineOptions().on_full, ContextFull::kStop);
}

TEST_F(ContextFullTest, RefusingNamesBothNumbersBeforeAnythingRuns) {
  ASSERT_TRUE(start({.on_full = ContextFull::kRefuse}).ok());
  const auto ask = [&](std::size_t tokens) {
    return engine_->submit({.prompt = prompt_of(100, 3), .tokens_max = tokens}).status();
  };
  EXPECT_TRUE(ask(51).ok()) << "the last id is never computed and needs no position";
  const Status status = ask(52);
  EXPECT_EQ(status.code(), StatusCode::kTooLarge);
  EXPECT_EQ(status.message(),
            "the prompt has 100 tokens and up to 52 are to be generated, the context holds 150");
  EXPECT_TRUE(engine_->submit({.prompt = prompt_of(100, 3)}).ok()) << "to the end of the context";
}

TEST_F(ContextFullTest, AContextWithoutAPageToGiveUpIsRefused) {
  EXPECT_THAT(start({.context = 31}).message(), HasSubstr("it needs 32 positions or more"));
  EXPECT_THAT(start({.context = 90, .kept = 33}).message(), HasSubstr("needs 96 positions"));
  EXPECT_TRUE(start({.context = 96, .kept = 33}).ok());
  EXPECT_TRUE(start({.on_full = ContextFull::kStop, .context = 31}).ok());
}

TEST_F(ContextFullTest, TheSmallestContextShiftsToItsNewestId) {
  const EngineSetup setup{.context = 32};
  ASSERT_TRUE(start(setup).ok());
  const std::vector<TokenId> prompt = prompt_of(5, 9);
  auto stream = engine_->submit({.prompt = prompt, .tokens_max = 200});
  EXPECT_EQ(ids_of(**stream), expected(prompt, 200, setup));
}

TEST(ContextFullWordTest, EveryWordIsRead) {
  EXPECT_EQ(context_full_of("stop"), ContextFull::kStop);
  EXPECT_EQ(context_full_of("shift"), ContextFull::kShift);
  EXPECT_EQ(context_full_of("refuse"), ContextFull::kRefuse);
  EXPECT_EQ(context_full_of("cut"), std::nullopt);
}

}  // namespace
}  // namespace cairn::engine
