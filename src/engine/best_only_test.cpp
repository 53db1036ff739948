// Greedy answers from the two best logits are those from all of them, and whoever needs more gets
// more.
#include <gtest/gtest.h>

#include <limits>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kContext = 96;

struct Answer {
  std::vector<TokenId> ids = {};
  Status status = {};
  std::size_t best_rows = 0;
};

Answer answer_to(const Request& request, StoreLogits store, std::size_t padded = 0,
                 const FakeForwarder::Script& script = &scramble) {
  const FakeBytes bytes(std::vector<std::string>(61, "a"));
  auto forwarder =
      std::make_unique<FakeForwarder>(FakeForwarder::Options{.vocabulary = bytes.size() + padded,
                                                             .rows_max = 16,
                                                             .pages = (kContext + 31) / 32,
                                                             .script = script});
  FakeForwarder* const counts = forwarder.get();
  const auto engine = Engine::create(std::move(forwarder), bytes,
                                     {.context = kContext, .step_rows = 16, .store_logits = store})
                          .value();
  const auto stream = engine->submit(request).value();
  Answer answer;
  for (;;) {
    const auto token = stream->next();
    answer.status = token.status();
    if (!token.ok() || !*token) break;
    answer.ids.push_back((*token)->id);
  }
  answer.best_rows = counts->best_rows;
  return answer;
}

Request greedy() {
  Request request{.prompt = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4}};
  request.tokens_max = 40;
  return request;
}

TEST(BestOnlyTest, AGreedyAnswerIsTheSameFromTheTwoBestLogits) {
  const Answer stored = answer_to(greedy(), StoreLogits::kAlways);
  const Answer best = answer_to(greedy(), StoreLogits::kWhereNeeded);
  EXPECT_EQ(stored.ids.size(), 40U);
  EXPECT_EQ(best.ids, stored.ids);
  EXPECT_EQ(stored.best_rows, 0U);
  EXPECT_EQ(best.best_rows, 40U);
}

TEST(BestOnlyTest, WhoeverNeedsMoreLogitsGetsThem) {
  const auto best_rows = [](auto change) {
    Request request = greedy();
    change(request);
    const Answer needed = answer_to(request, StoreLogits::kWhereNeeded);
    EXPECT_EQ(needed.ids, answer_to(request, StoreLogits::kAlways).ids);
    return needed.best_rows;
  };
  EXPECT_EQ(best_rows([](Request& r) { r.logprobs = 0; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) { r.sampling.temperature = 0.5; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) { r.sampling.bias = {{.token = 4, .bias = 2}}; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) { r.sampling.allowed_ids = {4, 5}; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) { r.sampling.banned_words = {"b"}; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) { r.sampling.forced_ids = {4}; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) { r.sampling.repetition_penalty = 1.5; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) { r.sampling.dry_multiplier = 1; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) { r.sampling.presence_penalty = 1; }), 0U);
  EXPECT_EQ(best_rows([](Request& r) {
              r.sampling.tokens_min = 3;
              r.stop_ids = {7};
            }),
            0U);
  // Greedy answers have no use for XTC.
  EXPECT_GT(best_rows([](Request& r) { r.sampling.xtc_probability = 1; }), 0U);
  EXPECT_GT(best_rows([](Request& r) { r.sampling.top_k = 5; }), 0U);
  EXPECT_GT(best_rows([](Request& r) { r.sampling.min_p = 0.1; }), 0U);
}

TEST(BestOnlyTest, IdsPastTheTokenizersAreNeverAmongTheBest) {
  const auto padding_wins = [](std::span<const TokenId> history, std::span<float> logits) {
    scramble(history, logits);
    logits.back() = 1000;
  };
  const Answer needed = answer_to(greedy(), StoreLogits::kWhereNeeded, 3, padding_wins);
  EXPECT_EQ(needed.best_rows, 0U);
  EXPECT_EQ(needed.ids, answer_to(greedy(), StoreLogits::kAlways, 3, padding_wins).ids);
}

TEST(BestOnlyTest, ALogitThatIsNotFiniteEndsTheAnswerEitherWay) {
  const auto spoilt = [](std::span<const TokenId> history, std::span<float> logits) {
    scramble(history, logits);
    if (history.size() == 25) logits[9] = -std::numeric_limits<float>::infinity();
  };
  const Answer stored = answer_to(greedy(), StoreLogits::kAlways, 0, spoilt);
  const Answer best = answer_to(greedy(), StoreLogits::kWhereNeeded, 0, spoilt);
  EXPECT_EQ(stored.status.code(), StatusCode::kInternal);
  EXPECT_EQ(best.status.code(), StatusCode::kInternal);
  EXPECT_EQ(best.status.message(), stored.status.message());
  EXPECT_EQ(best.ids, stored.ids);
}

}  // namespace
}  // namespace cairn::engine
