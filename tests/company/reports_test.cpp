// What users of other engines reported, at the engine. Each test cites its report.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <thread>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"
#include "tests/company/company.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 200;

class ReportsTest : public testing::Test {
 protected:
  std::unique_ptr<Engine> start(FakeForwarder::Script script, const EngineOptions& options,
                                std::size_t pages) {
    auto forwarder = std::make_unique<FakeForwarder>(
        FakeForwarder::fitting(options, kVocabulary, pages, std::move(script)));
    forwarder_ = forwarder.get();
    auto engine = Engine::create(std::move(forwarder), bytes_, options);
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    return engine.ok() ? std::move(*engine) : nullptr;
  }
  static Request ask(std::vector<TokenId> prompt, std::size_t tokens) {
    Request request{.prompt = std::move(prompt)};
    request.tokens_max = tokens;
    return request;
  }

  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  FakeForwarder* forwarder_ = nullptr;  // of the newest engine
};

TEST_F(ReportsTest, TheContextIsEveryRequestsOwnAndNotDividedBySequences) {  // K06
  const auto engine =
      start(scramble, {.context = 4096, .step_rows = 256, .sequences = 4}, 4096 / 32);
  EXPECT_EQ(engine->context(), 4096U);
  EXPECT_EQ(hear(*engine, ask(std::vector<TokenId>(2000, 3), 5)).ids.size(), 5U);
  EXPECT_EQ(hear(*engine, ask(std::vector<TokenId>(4096, 3), 5)).ids.size(), 1U);
  const Heard refused = hear(*engine, ask(std::vector<TokenId>(4097, 3), 5));
  EXPECT_EQ(refused.status.message(), "the prompt has 4097 tokens, the context holds 4096");
}

TEST_F(ReportsTest, FiveHundredPromptsThatShareBeginningsWithAbortsAllEndWell) {  // K09
  const CompanyShape shape = {.vocabulary = kVocabulary,
                              .context = 160,
                              .prompt_max = 130,
                              .answer_max = 30,
                              .requests = 500};
  const auto engine = start(
      stutter, {.context = 160, .step_rows = 48, .sequences = 4, .lookup = {.tokens_max = 4}}, 12);
  const auto alone = start(stutter, {.context = 160, .step_rows = 160}, 5);
  Draws draw(9);
  EXPECT_EQ(keep_company(*engine, *alone, draw, shape), "");
  const EngineFigures figures = engine->figures();
  EXPECT_EQ(figures.cache.free_pages + figures.cache.idle_pages, figures.cache.pages);
}

/// Says the one id from 100 on that stands in the history: the prompt's secret.
void tell_secret(std::span<const TokenId> history, std::span<float> logits) {
  const auto secret = std::ranges::find_if(history, [](TokenId id) { return id >= 100; });
  prefer(secret == history.end() ? 0 : *secret, logits);
}

TEST_F(ReportsTest, NoAnswerHoldsTheSecretOfAnotherPrompt) {  // K11
  const auto engine =
      start(tell_secret,
            {.context = 128, .step_rows = 64, .sequences = 2, .lookup = {.tokens_max = 4}}, 6);
  const std::jthread server([&](const std::stop_token& stop) { engine->serve(stop); });
  std::vector<std::string> wrong(50);
  {
    std::vector<std::jthread> clients;
    for (std::size_t client = 0; client < wrong.size(); ++client) {
      clients.emplace_back([&, client] {
        const auto secret = static_cast<TokenId>(100 + client);
        std::vector<TokenId> prompt(70, 7);  // two full pages that all clients share
        prompt[66] = secret;
        const Heard heard = hear(*engine, ask(prompt, 20));
        const Heard again = hear(*engine, ask(prompt, 20));
        if (heard.ids != std::vector<TokenId>(20, secret)) wrong[client] = "another's word";
        if (heard.ids != again.ids) wrong[client] = "differs the second time";
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<std::string>(50));
}

TEST_F(ReportsTest, MemoryDoesNotGrowWithTheNumberOfRequests) {  // K16
  const auto engine = start(
      scramble, {.context = 128, .step_rows = 64, .sequences = 4, .lookup = {.tokens_max = 4}}, 16);
  Draws draw(16);
  const auto serve = [&](std::size_t requests) {
    for (std::size_t i = 0; i < requests; ++i) {
      std::vector<TokenId> prompt(1 + draw(100));
      for (TokenId& id : prompt) id = static_cast<TokenId>(draw(kVocabulary));
      EXPECT_FALSE(hear(*engine, ask(prompt, 10)).ids.empty());
    }
  };
  serve(1500);
  const auto allocated = [&] {
    forwarder_->steps = {};  // the fake's own record
    return mallinfo2().uordblks + mallinfo2().hblkhd;
  };
  const std::size_t before = allocated();
  serve(1000);
  const std::size_t after = allocated();
  EXPECT_LT(after, before + 4096) << "1,000 requests left memory behind";
}

TEST_F(ReportsTest, TheCacheNeverHoldsMoreThanItsPages) {  // K17
  constexpr std::size_t kPages = 12;
  const auto engine = start(scramble, {.context = 300, .step_rows = 64}, kPages);
  for (TokenId i = 0; i < 30; ++i) {
    EXPECT_EQ(hear(*engine, ask(std::vector<TokenId>(200, i), 3)).ids.size(), 3U);
    (void)engine->submit(ask(std::vector<TokenId>(200, i), 3));
    const CacheFigures cache = engine->figures().cache;
    EXPECT_EQ(cache.pages, kPages);
    EXPECT_LE(cache.free_pages + cache.idle_pages, kPages);
  }
  EXPECT_GT(engine->figures().cache.evicted_pages, 0U);
  const Heard large = hear(*engine, ask(std::vector<TokenId>(kPages * 32 + 1, 3), 3));
  EXPECT_EQ(large.status.code(), StatusCode::kTooLarge) << "what could never fit is refused";
}

TEST_F(ReportsTest, OnePromptSentEightTimesAmongOthersHasOneAnswer) {  // P09
  const auto engine = start(
      scramble, {.context = 200, .step_rows = 50, .sequences = 6, .lookup = {.tokens_max = 4}}, 20);
  const auto alone = start(scramble, {.context = 200, .step_rows = 200}, 7);
  std::vector<TokenId> prompt(50);
  for (std::size_t i = 0; i < prompt.size(); ++i) prompt[i] = static_cast<TokenId>(i % 13);
  const Heard expected = hear_alone(*alone, ask(prompt, 64), 0);
  std::vector<std::unique_ptr<Stream>> same;
  std::vector<std::unique_ptr<Stream>> others;
  for (std::size_t i = 0; i < 8; ++i) {
    for (auto* streams : {&same, &others}) {
      Request request = ask(prompt, 64);
      if (streams == &others) request.prompt.assign(7 + 11 * i, static_cast<TokenId>(i));
      auto stream = engine->submit(std::move(request));
      ASSERT_TRUE(stream.ok()) << stream.status().message();
      streams->push_back(std::move(*stream));
    }
  }
  for (auto& stream : same) {
    Heard heard;
    while (heard.take(stream->next())) {
    }
    heard.reason = stream->finish_reason();
    EXPECT_EQ(heard.differs(expected), "");
  }
}

}  // namespace
}  // namespace cairn::engine
