#include "engine/beam_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/fake_forwarder.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kVocabulary = 8;
constexpr TokenId kStop = 7;

class BeamSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    auto forwarder = std::make_unique<FakeForwarder>(FakeForwarder::Options{
        .vocabulary = kVocabulary, .rows_max = 16, .pages = 8, .script = scramble});
    auto engine = Engine::create(std::move(forwarder), bytes_,
                                 {.context = 64, .step_rows = 16, .sequences = 4});
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(*engine);
  }

  static Request ask(std::size_t tokens) {
    Request request{.prompt = {1, 2, 3}};
    request.tokens_max = tokens;
    request.stop_ids = {kStop};
    return request;
  }

  std::string refusal(const Request& request, const BeamOptions& options) {
    return beam_search(*engine_, request, options).status().message();
  }

  FakeBytes bytes_{std::vector<std::string>(kVocabulary, "x")};
  std::unique_ptr<Engine> engine_;
};

/// The log-probabilities of what may follow `ids`, computed anew in double.
std::vector<double> logprobs_after(const std::vector<TokenId>& ids) {
  std::vector<float> logits(kVocabulary);
  scramble(ids, logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
  std::vector<double> result;
  for (const float logit : logits) result.push_back(static_cast<double>(logit) - std::log(sum));
  return result;
}

/// Every answer of up to `tokens` ids, by brute force.
void all_answers(std::vector<TokenId> ids, double logprob, std::size_t left,
                 std::map<std::vector<TokenId>, double>& found) {
  const bool stopped = ids.size() > 3 && ids.back() == kStop;
  if (left == 0 || stopped) {
    found[{ids.begin() + 3, ids.end()}] = logprob;
    return;
  }
  const std::vector<double> next = logprobs_after(ids);
  for (TokenId id = 0; id < static_cast<TokenId>(kVocabulary); ++id) {
    std::vector<TokenId> longer = ids;
    longer.push_back(id);
    all_answers(longer, logprob + next[static_cast<std::size_t>(id)], left - 1, found);
  }
}

TEST_F(BeamSearchTest, WithRoomForEveryBeamItFindsTheLikeliestAnswersOfAll) {
  // Beams of width 4 keep 4 of 8 first ids: the best two answers of two ids are among them or not;
  // of one round the search is exact, so the best of two rounds is compared with the best of what
  // four first ids can lead to.
  std::map<std::vector<TokenId>, double> all;
  all_answers({1, 2, 3}, 0, 2, all);
  std::vector<double> first = logprobs_after({1, 2, 3});
  std::vector<std::pair<double, TokenId>> order;
  for (TokenId id = 0; id < kStop; ++id)
    order.emplace_back(-first[static_cast<std::size_t>(id)], id);
  std::ranges::sort(order);
  std::vector<std::pair<double, std::vector<TokenId>>> expected;
  for (const auto& [ids, logprob] : all) {
    const auto rank = std::ranges::find(order, ids.front(), &std::pair<double, TokenId>::second);
    if (ids.front() != kStop && rank - order.begin() >= 4) continue;
    expected.emplace_back(-logprob / static_cast<double>(ids.size()), ids);
  }
  std::ranges::sort(expected);
  const auto beams = beam_search(*engine_, ask(2), {.width = 4});
  ASSERT_TRUE(beams.ok()) << beams.status().message();
  ASSERT_EQ(beams->size(), 4U);
  EXPECT_EQ((*beams)[0].ids, expected[0].second);
  EXPECT_NEAR((*beams)[0].score, -expected[0].first, 1e-5);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LE((*beams)[i].score, (*beams)[i - 1].score);
}

TEST_F(BeamSearchTest, OneBeamWithoutStopsIsTheGreedyAnswer) {
  Request request = ask(12);
  request.stop_ids.clear();
  const auto beams = beam_search(*engine_, request, {.width = 1});
  ASSERT_TRUE(beams.ok()) << beams.status().message();
  auto stream = engine_->submit(request);
  ASSERT_TRUE(stream.ok());
  std::vector<TokenId> greedy;
  for (;;) {
    const auto token = (*stream)->next();
    ASSERT_TRUE(token.ok());
    if (!token->has_value()) break;
    greedy.push_back((*token)->id);
  }
  EXPECT_EQ(beams->front().ids, greedy);
  EXPECT_EQ(beams->front().reason, FinishReason::kLength);
}

TEST_F(BeamSearchTest, AnAnswerEndsWithItsStopIdAndBansHold) {
  Request request = ask(6);
  request.sampling.bias = {{kStop, 20}, {3, -std::numeric_limits<float>::infinity()}};
  const auto beams = beam_search(*engine_, request, {.width = 2});
  ASSERT_TRUE(beams.ok()) << beams.status().message();
  EXPECT_EQ(beams->front().ids, std::vector<TokenId>{kStop});
  EXPECT_EQ(beams->front().reason, FinishReason::kStopId);
  for (const Beam& beam : *beams) EXPECT_EQ(std::ranges::count(beam.ids, 3), 0);
}

TEST_F(BeamSearchTest, WhatItCanNotHonourIsRefusedByName) {
  Request request = ask(4);
  EXPECT_EQ(refusal(request, {.width = 0}), "the beam width is 0, accepted is 1 to 4");
  EXPECT_EQ(refusal(request, {.width = 5}), "the beam width is 5, accepted is 1 to 4");
  request.sampling.presence_penalty = 1;
  EXPECT_EQ(refusal(request, {}),
            "beam search takes no presence_penalty, which depends on the answer so far");
  request = ask(4);
  request.stop_strings = {"x"};
  EXPECT_EQ(refusal(request, {}),
            "beam search takes no stop strings, which depends on the answer so far");
  request = ask(4);
  request.tokens_max.reset();
  EXPECT_EQ(refusal(request, {}), "beam search needs the most tokens to generate, found none");
}

}  // namespace
}  // namespace cairn::engine
