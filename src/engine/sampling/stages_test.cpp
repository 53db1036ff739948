// Longer than most files: the stages beyond temperature, top-k, top-p and min-p, each against its
// definition in double precision, written out plainly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/random.h"
#include "engine/sampling/sampler.h"
#include "engine/sampling/test_logits.h"

namespace cairn::engine {
namespace {

using Ids = std::vector<TokenId>;

double entropy_of(const std::vector<double>& p) {
  double sum = 0;
  for (const double each : p) sum -= each > 0 ? each * std::log(each) : 0;
  return sum;
}

/// The distribution that a sampler draws from: exp of the processed log-probabilities.
std::vector<double> processed(const std::vector<float>& logits, const SamplingParams& params,
                              const Ids& prompt = {}, std::uint64_t position = 0) {
  EXPECT_TRUE(check(params, logits.size()).ok()) << check(params, logits.size()).message();
  Sampler sampler(params, {.vocabulary = logits.size(), .left = Left::kProcessed});
  sampler.accept_prompt(prompt);
  std::vector<float> row = logits;
  EXPECT_TRUE(sampler.choose(row, position).ok());
  Distribution distribution(row.size());
  distribution.read(row, 0);
  std::vector<double> p(row.size());
  for (std::size_t id = 0; id < p.size(); ++id) {
    p[id] = std::exp(static_cast<double>(distribution.logprob(static_cast<TokenId>(id))));
  }
  return p;
}

Ids kept(const std::vector<double>& p) {
  Ids ids;
  for (std::size_t id = 0; id < p.size(); ++id) {
    if (p[id] > 0) ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t id = 0; id < got.size(); ++id) {
    EXPECT_NEAR(got[id], expected[id], 2e-6 * expected[id] + 1e-12) << id;
  }
}

TEST(TemperatureTest, DividesTheLogits) {
  const std::vector<float> logits = planted(500, 1);
  for (const double temperature : {0.3, 1.0, 2.5}) {
    expect_near(processed(logits, {.temperature = temperature}), softmax(logits, temperature));
  }
}

TEST(TemperatureTest, NextToNothingLeavesTheBestAlone) {
  EXPECT_EQ(kept(processed({1, 3, 3}, {.temperature = 1e-300})), (Ids{1, 2}));
}

TEST(TemperatureTest, DynamicFollowsTheEntropy) {
  const SamplingParams params = {
      .temperature = 1.2, .dynatemp_range = 0.7, .dynatemp_exponent = 1.5};
  for (const double spread : {0.5, 4.0, 30.0}) {
    const std::vector<float> logits = planted(400, 2, spread);
    const double share = entropy_of(softmax(logits, 1)) / std::log(400.0);
    const double temperature = 0.5 + (1.9 - 0.5) * std::pow(share, 1.5);
    const auto got = processed(logits, params);
    const auto expected = softmax(logits, temperature);
    for (std::size_t id = 0; id < got.size(); ++id) {
      EXPECT_NEAR(got[id], expected[id], 1e-5 * expected[id] + 1e-12) << spread << " " << id;
    }
  }
}

TEST(TemperatureTest, DynamicMayReachZeroAndThenIsGreedy) {
  const auto got = processed({0, 50, 0, 0}, {.temperature = 0.5, .dynatemp_range = 0.5});
  EXPECT_EQ(kept(got), Ids{1});
}

TEST(TypicalTest, KeepsTheTokensNearestToTheEntropy) {
  for (const double mass : {0.2, 0.5, 0.9, 0.97}) {
    for (std::uint64_t seed = 3; seed < 8; ++seed) {
      const std::vector<float> logits = planted(700, seed, 6);
      const std::vector<double> p = softmax(logits, 0.9);
      const double center = entropy_of(p);
      std::vector<std::size_t> order(p.size());
      std::iota(order.begin(), order.end(), 0U);
      std::ranges::stable_sort(order, {},
                               [&](std::size_t id) { return std::abs(-std::log(p[id]) - center); });
      Ids expected;
      double sum = 0;
      for (const std::size_t id : order) {
        expected.push_back(static_cast<TokenId>(id));
        sum += p[id];
        if (sum >= mass) break;
      }
      std::ranges::sort(expected);
      EXPECT_EQ(kept(processed(logits, {.temperature = 0.9, .typical_p = mass})), expected);
    }
  }
}

TEST(TopNSigmaTest, KeepsLogitsWithinSoManyDeviationsOfTheHighest) {
  const std::vector<float> logits = planted(3000, 9);
  const double count = static_cast<double>(logits.size());
  const double mean = std::accumulate(logits.begin(), logits.end(), 0.0) / count;
  double squares = 0;
  for (const float logit : logits) squares += (logit - mean) * (logit - mean);
  const double sigma = std::sqrt(squares / count);
  const double top = *std::ranges::max_element(logits);
  for (const double n : {0.01, 0.5, 1.0, 3.0}) {
    Ids expected;
    for (std::size_t id = 0; id < logits.size(); ++id) {
      if (logits[id] >= top - n * sigma) expected.push_back(static_cast<TokenId>(id));
    }
    for (const double temperature : {0.5, 2.0}) {
      EXPECT_EQ(kept(processed(logits, {.temperature = temperature, .top_n_sigma = n})), expected);
    }
  }
}

TEST(XtcTest, TakesOutAllLikelyTokensButTheLeastLikelyOne) {
  // Probabilities 0.4, 0.3, 0.2, 0.1.
  const std::vector<float> logits = {std::log(0.4F), std::log(0.1F), std::log(0.3F),
                                     std::log(0.2F)};
  const auto left = [&](double threshold, std::int64_t least = 0) {
    return kept(processed(
        logits,
        {.temperature = 1, .xtc_probability = 1, .xtc_threshold = threshold, .min_keep = least}));
  };
  EXPECT_EQ(left(0.15), (Ids{1, 3}));
  EXPECT_EQ(left(0.25), (Ids{1, 2, 3}));
  EXPECT_EQ(left(0.35), (Ids{0, 1, 2, 3})) << "one likely token stays";
  EXPECT_EQ(left(0.05), (Ids{1}));
  EXPECT_EQ(left(0.05, 2), (Ids{0, 1, 2, 3})) << "too few would be left";
  EXPECT_EQ(left(0.6), (Ids{0, 1, 2, 3})) << "two tokens can not both be above a half";
}

TEST(XtcTest, ActsAsOftenAsAskedAndMovesNoOtherDraw) {
  const std::vector<float> logits = {2, 1.9F, 1.8F, -1};
  int acted = 0;
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    const auto p = processed(logits, {.temperature = 1, .seed = 7, .xtc_probability = 0.3}, {},
                             static_cast<std::uint64_t>(i));
    acted += p[0] == 0 ? 1 : 0;
  }
  // Four deviations of a binomial.
  EXPECT_NEAR(acted, 0.3 * kDraws, 4 * std::sqrt(0.21 * kDraws));

  // A threshold that no token reaches: the stage runs and the ids are those without it.
  const std::vector<float> flat = planted(300, 4, 2);
  for (std::uint64_t position = 0; position < 50; ++position) {
    const auto draw = [&](double probability) {
      Sampler sampler({.temperature = 1, .seed = 5, .xtc_probability = probability},
                      {.vocabulary = flat.size()});
      std::vector<float> row = flat;
      return *sampler.choose(row, position);
    };
    EXPECT_EQ(draw(1), draw(0));
  }
}

TEST(MinKeepTest, EveryTruncationLeavesThatMany) {
  const std::vector<float> logits = planted(400, 6);
  Ids best(400);
  std::iota(best.begin(), best.end(), 0);
  std::ranges::sort(best, [&](TokenId a, TokenId b) {
    return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
  });
  best.resize(7);
  std::ranges::sort(best);
  for (SamplingParams params :
       {SamplingParams{.top_k = 2}, SamplingParams{.top_p = 0.01}, SamplingParams{.min_p = 0.999},
        SamplingParams{.top_n_sigma = 0.001}}) {
    params.temperature = 1;
    params.min_keep = 7;
    EXPECT_EQ(kept(processed(logits, params)), best);
  }
}

/// The DRY penalty by its definition: for each id, the longest n such that the last n tokens
/// followed by the id have stood in the text before, without one of `breakers` among them.
std::vector<double> dry_by_definition(const Ids& text, std::size_t vocabulary,
                                      const SamplingParams& params) {
  std::vector<double> penalty(vocabulary, 0);
  for (std::size_t at = 1; at < text.size(); ++at) {  // the id that followed before
    std::size_t length = 0;
    while (length < at && text[at - 1 - length] == text[text.size() - 1 - length]) ++length;
    if (static_cast<std::int64_t>(length) < params.dry_allowed_length) continue;
    double& own = penalty[static_cast<std::size_t>(text[at])];
    const double beyond =
        static_cast<double>(length) - static_cast<double>(params.dry_allowed_length);
    own = std::max(own, params.dry_multiplier * std::pow(params.dry_base, beyond));
  }
  return penalty;
}

TEST(DryTest, PenalisesTheTokenThatWouldGoOnWithARepetition) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Ids text;
    for (std::uint64_t i = 0; i < 40 + seed % 20; ++i) {
      text.push_back(static_cast<TokenId>(random_bits(seed, 1, i) % 3));
    }
    const SamplingParams params = {.dry_multiplier = 0.8,
                                   .dry_base = 1.75,
                                   .dry_allowed_length = 1 + static_cast<std::int64_t>(seed % 3)};
    const std::vector<double> expected = dry_by_definition(text, 4, params);
    Repeats repeats(params, nullptr);
    for (const TokenId id : text) repeats.accept(id);
    std::vector<double> got(4, 0);
    for (const Repeat& repeat : repeats.find()) {
      got[static_cast<std::size_t>(repeat.id)] =
          0.8 * std::pow(1.75, static_cast<double>(repeat.length - params.dry_allowed_length));
    }
    EXPECT_EQ(got, expected) << seed;
  }
}

TEST(DryTest, TheWindowForgetsAndALongRepetitionStaysFinite) {
  const Ids text = {1, 2, 3, 0, 0, 0, 1, 2};
  const auto penalised = [&](std::int64_t window) {
    Repeats repeats({.dry_multiplier = 1, .dry_window = window}, nullptr);
    for (const TokenId id : text) repeats.accept(id);
    return !repeats.find().empty();
  };
  EXPECT_TRUE(penalised(-1));
  EXPECT_TRUE(penalised(8));
  EXPECT_FALSE(penalised(7));

  Ids same(3000, 1);
  const auto p = processed({1, 1}, {.temperature = 1, .dry_multiplier = 1, .dry_base = 4}, same);
  EXPECT_NEAR(p[0], 1, 1e-12);
}

TEST(OrderTest, StagesRunInTheOrderThatIsAskedFor) {
  // Of 0.5, 0.25, 0.125, 0.125: top-k 2 then top-p 0.6 leaves one, top-p 0.6 then top-k 2 both.
  const std::vector<float> logits = {std::log(0.5F), std::log(0.25F), std::log(0.125F),
                                     std::log(0.125F)};
  SamplingParams params = {.temperature = 1, .top_k = 2, .top_p = 0.6};
  params.order = {"temperature", "top_k", "top_p"};
  EXPECT_EQ(kept(processed(logits, params)), Ids{0});
  params.order = {"temperature", "top_p", "top_k"};
  EXPECT_EQ(kept(processed(logits, params)), (Ids{0, 1}));
  // The temperature after min-p as llama.cpp has it, or before.
  params = {.temperature = 3, .min_p = 0.4};
  params.order = {"min_p", "temperature"};
  EXPECT_EQ(kept(processed(logits, params)), (Ids{0, 1}));
  params.order = {"temperature", "min_p"};
  EXPECT_EQ(kept(processed(logits, params)), (Ids{0, 1, 2, 3}));
}

TEST(OrderTest, PenaltiesAlsoWorkOnWhatATruncationLeft) {
  SamplingParams params = {.repetition_penalty = 2, .temperature = 1, .top_k = 2};
  params.order = {"top_k", "penalties", "temperature"};
  const auto p = processed({4, 3, 2.9F, 1}, params, {0, 2});
  EXPECT_NEAR(p[0], 1 / (1 + std::exp(1.0)), 1e-6);  // 4 / 2 = 2 beside 3
  EXPECT_EQ(kept(p), (Ids{0, 1}));
}

TEST(OrderTest, RefusesUnknownRepeatedAndMissingNames) {
  const auto message = [](SamplingParams params, std::vector<std::string> order) {
    params.order = std::move(order);
    return check(params, 10).message();
  };
  EXPECT_EQ(message({}, {"top_k", "topk"}),
            "order names the stage 'topk', there are " + stage_names());
  EXPECT_EQ(message({}, {"top_k", "top_k"}), "order names the stage top_k twice");
  EXPECT_EQ(
      message({.temperature = 1, .top_p = 0.5}, {"temperature"}),
      "order leaves out the stage top_p, whose parameters ask for it; name it or turn it off");
}

TEST(MirostatTest, Version2KeepsTokensOfSurpriseUpToMuAndLearns) {
  const std::vector<float> logits = planted(200, 12, 8);
  const SamplingParams params = {
      .temperature = 0.8, .seed = 3, .mirostat = 2, .mirostat_tau = 3, .mirostat_eta = 0.2};
  ASSERT_TRUE(check(params, 200).ok());
  Sampler sampler(params, {.vocabulary = 200, .left = Left::kProcessed});
  const std::vector<double> p = softmax(logits, 0.8);
  double mu = 6;
  for (std::uint64_t position = 0; position < 30; ++position) {
    std::vector<float> row = logits;
    const TokenId id = *sampler.choose(row, position);
    double left = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const bool in = -std::log2(p[i]) <= mu;
      EXPECT_EQ(row[i] != kOut, in) << position << " " << i;
      left += in ? p[i] : 0;
    }
    mu -= 0.2 * (-std::log2(p[static_cast<std::size_t>(id)] / left) - 3);
  }
}

TEST(MirostatTest, Version1EstimatesHowManyStay) {
  const std::vector<float> logits = planted(400, 13, 10);
  const SamplingParams params = {
      .temperature = 1, .seed = 4, .mirostat = 1, .mirostat_tau = 4, .mirostat_eta = 0.1};
  Sampler sampler(params, {.vocabulary = 400, .left = Left::kProcessed});
  const std::vector<double> p = softmax(logits, 1);
  std::vector<double> sorted = p;
  std::ranges::sort(sorted, std::greater<>());
  double both = 0;
  double squares = 0;
  for (std::size_t i = 0; i < 99; ++i) {
    const double t = std::log(static_cast<double>(i + 2) / static_cast<double>(i + 1));
    both += t * std::log(sorted[i] / sorted[i + 1]);
    squares += t * t;
  }
  const double s = both / squares;
  double mu = 8;
  for (std::uint64_t position = 0; position < 30; ++position) {
    std::vector<float> row = logits;
    const TokenId id = *sampler.choose(row, position);
    const double k = std::pow((s - 1) * std::pow(2, mu) / (1 - std::pow(400, 1 - s)), 1 / s);
    const auto stays = static_cast<std::size_t>(std::clamp(k, 1.0, 400.0));
    const auto in = static_cast<std::size_t>(
        std::ranges::count_if(row, [](float logit) { return logit != kOut; }));
    EXPECT_EQ(in, stays) << position;
    const double left =
        std::accumulate(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(stays), 0.0);
    mu -= 0.1 * (-std::log2(p[static_cast<std::size_t>(id)] / left) - 4);
  }
}

TEST(MirostatTest, SurvivesFlatAndSingleDistributionsAndRefusesOtherTruncations) {
  for (const std::int64_t version : {1, 2}) {
    const SamplingParams params = {.temperature = 1, .mirostat = version};
    for (const std::vector<float>& logits :
         {std::vector<float>(64, 1.0F), std::vector<float>{1, kOut}, std::vector<float>{5}}) {
      Sampler sampler(params, {.vocabulary = logits.size()});
      for (std::uint64_t position = 0; position < 20; ++position) {
        std::vector<float> row = logits;
        if (row.back() == kOut) row.back() = -3e38F;
        EXPECT_TRUE(sampler.choose(row, position).ok());
      }
    }
  }
  EXPECT_EQ(check({.temperature = 1, .top_k = 3, .mirostat = 2}, 9).message(),
            "mirostat 2 decides how many tokens stay, beside it top_k has no place");
}

TEST(MirostatTest, HoldsTheSurpriseAtItsTarget) {
  const std::vector<float> logits = planted(2000, 14, 14);
  for (const double tau : {2.0, 4.0, 6.0}) {
    Sampler sampler({.temperature = 1, .seed = 1, .mirostat = 2, .mirostat_tau = tau},
                    {.vocabulary = logits.size(), .left = Left::kProcessed});
    double sum = 0;
    constexpr int kTokens = 1500;
    for (int i = 0; i < kTokens; ++i) {
      std::vector<float> row = logits;
      const TokenId id = *sampler.choose(row, static_cast<std::uint64_t>(i));
      Distribution distribution(row.size());
      distribution.read(row, 0);
      sum -= static_cast<double>(distribution.logprob(id)) / std::log(2.0);
    }
    EXPECT_NEAR(sum / kTokens, tau, 0.15) << tau;
  }
}

}  // namespace
}  // namespace cairn::engine
