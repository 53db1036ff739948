// Longer than most files: every stage against its definition, and draws against their distribution.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/random.h"
#include "engine/sampling/sampler.h"
#include "engine/sampling/test_logits.h"
#include "engine/sampling/weights.h"

namespace cairn::engine {
namespace {

/// What is left of `logits` after every stage that `params` ask for, before the temperature.
std::vector<float> after_stages(std::vector<float> logits, const SamplingParams& params,
                                const std::vector<TokenId>& prompt = {},
                                const std::vector<TokenId>& generated = {},
                                std::uint64_t position = 0) {
  EXPECT_TRUE(check(params, logits.size()).ok()) << check(params, logits.size()).message();
  History history(params, logits.size());
  Repeats repeats(params, nullptr);
  history.accept_prompt(prompt);
  for (const TokenId id : prompt) repeats.accept(id);
  for (const TokenId id : generated) {
    history.accept_generated(id);
    repeats.accept(id);
  }
  Workspace space;
  space.maxima.resize(blocks_of(logits.size()));
  Draft draft(logits, space);
  add_bias(draft, params);
  const StageInput input{params, history, repeats, 0, position};
  for (const Stage& stage : stages()) {
    if (stage.active(params)) stage.apply(draft, input);
  }
  if (!draft.listed()) return logits;
  std::vector<float> result(logits.size(), kOut);
  for (const Candidate& each : draft.list()) result[static_cast<std::size_t>(each.id)] = each.logit;
  return result;
}

/// Ids that are still in.
std::vector<TokenId> kept(const std::vector<float>& logits) {
  std::vector<TokenId> ids;
  for (std::size_t id = 0; id < logits.size(); ++id) {
    if (logits[id] != kOut) ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

TEST(StagesTest, RunInTheDocumentedOrder) {
  EXPECT_EQ(stage_names(),
            "penalties, dry, temperature, top_n_sigma, top_k, typical_p, top_p, min_p, xtc");
}

TEST(StagesTest, DefaultParametersChangeNothing) {
  const std::vector<float> logits = planted(300, 1);
  EXPECT_EQ(after_stages(logits, {}, {1, 2}, {3}), logits);
}

TEST(StagesTest, BiasIsAddedAndMinusInfinityBans) {
  const auto got = after_stages({1, 2, 3, 4}, {.bias = {{0, 2.5F}, {2, -100}, {3, kOut}}});
  EXPECT_EQ(got, (std::vector<float>{3.5F, 2, -97, kOut}));
}

TEST(StagesTest, RepetitionDividesPositiveAndMultipliesNegativeLogitsOfPromptAndAnswerOnce) {
  const auto got =
      after_stages({3, -3, 3, -3, 3}, {.repetition_penalty = 1.5}, {0, 0, 0, 1}, {2, 2});
  EXPECT_EQ(got, (std::vector<float>{2, -4.5F, 2, -3, 3}));
}

TEST(StagesTest, TheRepetitionWindowTakesTheLastTokens) {  // P05
  const std::vector<float> ones(6, 1.0F);
  const auto hit = [&](std::int64_t window, const std::vector<TokenId>& prompt,
                       const std::vector<TokenId>& generated) {
    std::vector<TokenId> ids;
    const auto got = after_stages(ones, {.repetition_penalty = 2, .repetition_window = window},
                                  prompt, generated);
    for (std::size_t id = 0; id < got.size(); ++id) {
      if (got[id] == 0.5F) ids.push_back(static_cast<TokenId>(id));
    }
    return ids;
  };
  using Ids = std::vector<TokenId>;
  EXPECT_EQ(hit(2, {1, 2, 3, 4}, {}), (Ids{3, 4}));
  EXPECT_EQ(hit(2, {1, 2, 3}, {4}), (Ids{3, 4}));
  EXPECT_EQ(hit(3, {4, 4, 4}, {1, 2}), (Ids{1, 2, 4}));
  EXPECT_EQ(hit(2, {4, 4, 4}, {1, 2}), (Ids{1, 2})) << "an id leaves with its last occurrence";
  EXPECT_EQ(hit(100, {1, 2, 3}, {}), (Ids{1, 2, 3}));
  EXPECT_EQ(hit(-1, {1, 2}, {3, 4}), (Ids{1, 2, 3, 4}));
  EXPECT_EQ(hit(0, {1, 2}, {3, 4}), Ids{});
}

TEST(StagesTest, PresenceAndFrequencyCountTheAnswerAlone) {  // P04
  const auto got = after_stages({1, 1, 1, 1}, {.presence_penalty = 0.5, .frequency_penalty = 0.25},
                                {0, 0, 3}, {1, 1, 1, 2});
  EXPECT_EQ(got, (std::vector<float>{1, -0.25F, 0.25F, 1}));
}

TEST(StagesTest, TopKKeepsTheKBestAndOfEqualOnesTheLowestIds) {
  EXPECT_EQ(kept(after_stages({5, 7, 5, 5, 9, 5}, {.temperature = 1, .top_k = 4})),
            (std::vector<TokenId>{0, 1, 2, 4}));
  EXPECT_EQ(kept(after_stages({1, 2, 3}, {.temperature = 1, .top_k = 3})).size(), 3U);
  EXPECT_EQ(kept(after_stages({1, 2, 3}, {.temperature = 1, .top_k = 1'000'000})).size(), 3U);
  EXPECT_EQ(kept(after_stages({1, 2, 2}, {.temperature = 1, .top_k = 1})),
            (std::vector<TokenId>{1}));
}

TEST(StagesTest, TopPKeepsTheSmallestSetOfBestTokensThatReachesP) {
  // Probabilities 0.5, 0.25, 0.125, 0.125.
  const std::vector<float> logits = {std::log(0.125F), std::log(0.5F), std::log(0.125F),
                                     std::log(0.25F)};
  using Ids = std::vector<TokenId>;
  const auto ids = [&](double p) {
    return kept(after_stages(logits, {.temperature = 1, .top_p = p}));
  };
  EXPECT_EQ(ids(0), (Ids{1}));
  EXPECT_EQ(ids(0.49), (Ids{1}));
  EXPECT_EQ(ids(0.51), (Ids{1, 3}));
  EXPECT_EQ(ids(0.80), (Ids{0, 1, 3})) << "of equal ones the lowest id";
  EXPECT_EQ(ids(0.90), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(ids(1), (Ids{0, 1, 2, 3}));
}

TEST(StagesTest, TopPMatchesASortOfTheWholeVocabulary) {
  const std::vector<float> logits = planted(5000, 3);
  const std::vector<double> p = softmax(logits, 0.8);
  std::vector<TokenId> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](TokenId a, TokenId b) {
    return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
  });
  for (const double wanted : {0.01, 0.3, 0.9, 0.95, 0.999}) {
    double sum = 0;
    std::size_t count = 0;
    while (sum < wanted) sum += p[static_cast<std::size_t>(order[count++])];
    std::vector<TokenId> expected(order.begin(),
                                  order.begin() + static_cast<std::ptrdiff_t>(count));
    std::ranges::sort(expected);
    EXPECT_EQ(kept(after_stages(logits, {.temperature = 0.8, .top_p = wanted})), expected)
        << wanted;
  }
}

TEST(StagesTest, TopPLooksAtWhatTopKLeft) {
  // Of 4, 2, 1, 1 eighths the best two have 2/3 and 1/3: 0.6 is reached by the first alone.
  const std::vector<float> logits = {std::log(0.5F), std::log(0.25F), std::log(0.125F),
                                     std::log(0.125F)};
  EXPECT_EQ(kept(after_stages(logits, {.temperature = 1, .top_k = 2, .top_p = 0.6})),
            (std::vector<TokenId>{0}));
}

TEST(StagesTest, MinPKeepsTokensWithThatShareOfTheLikeliest) {
  const std::vector<float> logits = {std::log(0.5F), std::log(0.2F), std::log(0.24F),
                                     std::log(0.06F)};
  EXPECT_EQ(kept(after_stages(logits, {.temperature = 1, .min_p = 0.41})),
            (std::vector<TokenId>{0, 2}));
  EXPECT_EQ(kept(after_stages(logits, {.temperature = 1, .min_p = 0.39})),
            (std::vector<TokenId>{0, 1, 2}));
  EXPECT_EQ(kept(after_stages(logits, {.temperature = 1, .min_p = 1})), (std::vector<TokenId>{0}));
}

TEST(SamplerTest, GreedyTakesTheHighestAndOfEqualOnesTheLowestId) {
  Sampler sampler({}, {.vocabulary = 5});
  std::vector<float> logits = {1, 7, 3, 7, 7};
  const auto id = sampler.choose(logits, 0);
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(*id, 1);
}

TEST(SamplerTest, RefusesEveryKindOfNonFiniteLogit) {  // P11
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -kOut, kOut}) {
    for (const SamplingParams& params :
         {SamplingParams{}, SamplingParams{.temperature = 1, .top_k = 2, .top_p = 0.5}}) {
      Sampler sampler(params, {.vocabulary = 4});
      std::vector<float> logits = {1, bad, 2, 3};
      const auto id = sampler.choose(logits, 12);
      ASSERT_FALSE(id.ok());
      EXPECT_EQ(id.status().message(), "non-finite logits at position 12");
      std::vector<float> all(4, bad);
      EXPECT_FALSE(sampler.choose(all, 0).ok());
    }
  }
}

TEST(SamplerTest, ADrawDependsOnSeedChoiceAndPositionAlone) {
  const std::vector<float> logits = planted(3000, 4);
  const auto draw = [&](std::uint64_t seed, std::uint64_t choice, std::uint64_t position) {
    Sampler sampler({.temperature = 1.5, .seed = seed},
                    {.choice = choice, .vocabulary = logits.size()});
    std::vector<float> copy = logits;
    return *sampler.choose(copy, position);
  };
  std::map<TokenId, int> drawn;
  for (std::uint64_t i = 0; i < 20; ++i) {
    ++drawn[draw(9, 0, i)];
    EXPECT_EQ(draw(9, 0, i), draw(9, 0, i));
  }
  EXPECT_GT(drawn.size(), 10U);
  EXPECT_NE(draw(9, 0, 1), draw(10, 0, 1));
  EXPECT_NE(draw(9, 0, 1), draw(9, 1, 1));
}

TEST(WeightsTest, SumsAreChunksOf1024AddedAscending) {
  const std::vector<float> logits = planted(2500, 5);
  const float top = highest(logits);
  const std::span<const float> all(logits);
  const double expected =
      (chunk_weight(all.subspan(0, 1024), top) + chunk_weight(all.subspan(1024, 1024), top)) +
      chunk_weight(all.subspan(2048), top);
  EXPECT_EQ(total_weight(logits, top), expected);
}

/// Chi-square of `draws` draws against the distribution that is left by the definition.
struct ChiSquareCase {
  std::string_view name;
  SamplingParams params;
};

/// The probabilities that `params` define, computed apart from the stages: sort, cut, renormalise.
std::vector<double> defined(const std::vector<float>& logits, const SamplingParams& params) {
  std::vector<double> p = softmax(logits, params.temperature);
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  std::size_t count = p.size();
  if (params.top_k > 0) count = std::min(count, static_cast<std::size_t>(params.top_k));
  double left = 0;
  for (std::size_t i = 0; i < count; ++i) left += p[order[i]];
  if (params.top_p < 1) {
    double sum = 0;
    std::size_t reached = 0;
    while (sum < params.top_p * left) sum += p[order[reached++]];
    count = reached;
  }
  while (count > 1 && p[order[count - 1]] < params.min_p * p[order[0]]) --count;
  std::vector<double> result(p.size(), 0);
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += p[order[i]];
  for (std::size_t i = 0; i < count; ++i) result[order[i]] = p[order[i]] / total;
  return result;
}

TEST(SamplerTest, DrawsFollowTheDistributionByChiSquare) {
  // 2,100 ids, so that three chunks take part; 64 of them have weight, spread over all chunks.
  std::vector<float> logits(2100, -60.0F);
  for (std::size_t i = 0; i < 64; ++i) {
    logits[i * 32 + 5] = static_cast<float>(random_unit(11, 0, i) * 3);
  }
  const ChiSquareCase cases[] = {
      {"temperature", {.temperature = 1, .seed = 1}},
      {"hot", {.temperature = 3, .seed = 2}},
      {"top-k", {.temperature = 1, .top_k = 10, .seed = 3}},
      {"top-p", {.temperature = 1, .top_p = 0.7, .seed = 4}},
      {"min-p", {.temperature = 1, .min_p = 0.3, .seed = 5}},
      {"all", {.temperature = 1.3, .top_k = 40, .top_p = 0.9, .min_p = 0.2, .seed = 6}},
  };
  constexpr int kDraws = 4000;
  for (const ChiSquareCase& each : cases) {
    const std::vector<double> p = defined(logits, each.params);
    Sampler sampler(each.params, {.vocabulary = logits.size()});
    std::vector<int> drawn(logits.size(), 0);
    for (int i = 0; i < kDraws; ++i) {
      std::vector<float> copy = logits;
      ++drawn[static_cast<std::size_t>(*sampler.choose(copy, static_cast<std::uint64_t>(i)))];
    }
    double chi_square = 0;
    int cells = 0;
    for (std::size_t id = 0; id < p.size(); ++id) {
      if (p[id] < 1e-9) {
        EXPECT_EQ(drawn[id], 0) << each.name << " drew an id that was out: " << id;
        continue;
      }
      const double expected = p[id] * kDraws;
      chi_square += (drawn[id] - expected) * (drawn[id] - expected) / expected;
      ++cells;
    }
    // Chi-square with n degrees of freedom has mean n and variance 2 n: four deviations.
    const double freedom = cells - 1;
    EXPECT_LT(chi_square, freedom + 4 * std::sqrt(2 * freedom)) << each.name;
    EXPECT_GT(chi_square, freedom - 4 * std::sqrt(2 * freedom)) << each.name;
  }
}

TEST(ParamsTest, RefusesEveryValueOutOfRangeByName) {
  const auto message = [](const SamplingParams& params) { return check(params, 10).message(); };
  EXPECT_TRUE(check({}, 10).ok());
  EXPECT_EQ(message({.temperature = -0.1}), "temperature is -0.1, accepted is 0 to 100");
  EXPECT_EQ(message({.temperature = std::nan("")}), "temperature is nan, accepted is 0 to 100");
  EXPECT_EQ(message({.top_p = 1.01}), "top_p is 1.01, accepted is 0 to 1");
  EXPECT_EQ(message({.min_p = -1}), "min_p is -1, accepted is 0 to 1");
  EXPECT_EQ(message({.repetition_penalty = 0}), "repetition_penalty is 0, accepted is 0.01 to 100");
  EXPECT_EQ(message({.presence_penalty = 3}), "presence_penalty is 3, accepted is -2 to 2");
  EXPECT_EQ(message({.frequency_penalty = -3}), "frequency_penalty is -3, accepted is -2 to 2");
  EXPECT_EQ(message({.top_k = -1}), "top_k is -1, accepted is 0 (all) or a number of tokens");
  EXPECT_EQ(message({.repetition_window = -2}),
            "repetition_window is -2, accepted is -1 (all tokens), 0 (none) or a number of tokens");
}

TEST(DistributionTest, LogprobsAreTheLogarithmOfTheSoftmax) {
  const std::vector<float> logits = planted(3000, 8);
  const std::vector<double> p = softmax(logits, 1);
  Distribution distribution(logits.size());
  distribution.read(logits, 5);
  for (TokenId id = 0; id < 3000; id += 97) {
    EXPECT_NEAR(distribution.logprob(id), std::log(p[static_cast<std::size_t>(id)]), 2e-6);
  }
  const auto top = distribution.top();
  ASSERT_EQ(top.size(), 5U);
  EXPECT_EQ(top[0].id, highest_id(logits));
  for (std::size_t i = 1; i < top.size(); ++i) EXPECT_GE(top[i - 1].logprob, top[i].logprob);
}

}  // namespace
}  // namespace cairn::engine
