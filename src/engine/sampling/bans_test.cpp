// What an answer may not contain, how it has to begin and when it ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/random.h"
#include "engine/sampling/fake_vocabulary.h"
#include "engine/sampling/sampler.h"
#include "engine/sampling/token_index.h"

namespace cairn::engine {
namespace {

using Ids = std::vector<TokenId>;

/// Random logits, the same for the same seed and position.
std::vector<float> logits_at(std::size_t vocabulary, std::uint64_t seed, std::uint64_t position) {
  std::vector<float> logits(vocabulary);
  for (std::size_t id = 0; id < vocabulary; ++id) {
    logits[id] = static_cast<float>(random_unit(seed, position, id) * 4);
  }
  return logits;
}

TEST(TokenIndexTest, FindsTheIdsThatBeginWithAPrefix) {
  const FakeVocabulary words({"he", "hello", "help", "world", "hel"});
  const auto texts = [&](std::string_view prefix) {
    std::vector<std::string> found;
    for (const TokenId id : words.index().beginning_with(prefix)) {
      found.emplace_back(words.bytes(id));
    }
    return found;
  };
  EXPECT_EQ(texts("hel"), (std::vector<std::string>{"hel", "hello", "help"}));
  EXPECT_EQ(texts("w"), (std::vector<std::string>{"w", "world"}));
  EXPECT_EQ(texts("zz"), std::vector<std::string>{});
  EXPECT_EQ(words.index().sorted().size(), words.size() - 1) << "control tokens are left out";
}

TEST(BannedWordsTest, NeverStandInTheAnswerHoweverItIsCutIntoTokens) {
  const std::vector<std::string> banned = {"aba", "bb", "cab", "aacaa"};
  const FakeVocabulary words({"ab", "ba", "abab", "bc", "ca", "caa", "aac", "abc", "cb"});
  Ids letters;
  for (TokenId id = 0; id < static_cast<TokenId>(words.size()); ++id) {
    const std::string_view text = words.bytes(id);
    if (!text.empty() && text.find_first_not_of("abc") == text.npos) letters.push_back(id);
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Sampler sampler(
        {.temperature = 1, .seed = seed, .allowed_ids = letters, .banned_words = banned},
        {.vocabulary = words.size(), .bytes = &words});
    std::string answer;
    for (std::uint64_t position = 0; position < 80; ++position) {
      std::vector<float> logits = logits_at(words.size(), seed, position);
      const Result<TokenId> id = sampler.choose(logits, position);
      ASSERT_TRUE(id.ok()) << id.status().message();
      answer += words.bytes(*id);
    }
    for (const std::string& word : banned) EXPECT_EQ(answer.find(word), answer.npos) << answer;
  }
}

TEST(BannedWordsTest, BanNothingElse) {
  const FakeVocabulary words({"xy", "yz", "xyz"});
  Sampler sampler({.banned_words = {"xyz"}},
                  {.vocabulary = words.size(), .bytes = &words, .left = Left::kProcessed});
  const auto out_after = [&](std::string_view chosen) {
    std::vector<float> logits(words.size(), 0);
    logits[static_cast<std::size_t>(words.id(chosen))] = 9;
    EXPECT_EQ(*sampler.choose(logits, 0), words.id(chosen));
    std::vector<std::string> out;
    for (std::size_t id = 0; id < logits.size(); ++id) {
      if (logits[id] == kOut) out.emplace_back(words.bytes(static_cast<TokenId>(id)));
    }
    return out;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(out_after("x"), Texts{"xyz"});
  EXPECT_EQ(out_after("y"), (Texts{"yz", "xyz"})) << "with yz it would stand there";
  EXPECT_EQ(out_after("q"), (Texts{"z", "xyz"})) << "z too after xy";
  EXPECT_EQ(out_after("q"), Texts{"xyz"});
}

TEST(AllowedIdsTest, NoOtherIsEverDrawn) {
  for (const double temperature : {0.0, 1.0}) {
    Sampler sampler({.temperature = temperature, .seed = 3, .allowed_ids = {2, 9, 64}},
                    {.vocabulary = 100});
    for (std::uint64_t position = 0; position < 50; ++position) {
      std::vector<float> logits = logits_at(100, 1, position);
      const TokenId id = *sampler.choose(logits, position);
      EXPECT_TRUE(id == 2 || id == 9 || id == 64) << id;
    }
  }
  EXPECT_EQ(check({.allowed_ids = {100}}, 100).message(),
            "allowed_ids names id 100, the vocabulary has ids 0 to 99");
}

TEST(MinTokensTest, NoStopIdComesBeforeThatManyTokens) {
  const Ids stops = {4, 7};
  Sampler sampler({.tokens_min = 3}, {.vocabulary = 10, .stop_ids = stops});
  Ids ids;
  for (std::uint64_t position = 0; position < 4; ++position) {
    std::vector<float> logits(10, 0);
    logits[4] = 5;
    logits[7] = 4;
    logits[1] = 3;
    ids.push_back(*sampler.choose(logits, position));
  }
  EXPECT_EQ(ids, (Ids{1, 1, 1, 4}));
}

TEST(BansTest, AnAnswerWithNoIdLeftIsAnErrorThatNamesThePosition) {
  Sampler sampler({.bias = {{1, kOut}}, .allowed_ids = {1}}, {.vocabulary = 5});
  std::vector<float> logits(5, 0);
  const Result<TokenId> id = sampler.choose(logits, 12);
  ASSERT_FALSE(id.ok());
  EXPECT_EQ(id.status().message(), "bias, bans and masks leave no id at position 12");
}

TEST(ForcedIdsTest, BeginTheAnswerAndLeaveTheRestAsItWouldHaveBeen) {
  SamplingParams params = {
      .repetition_penalty = 1.3, .temperature = 1, .seed = 8, .mirostat = 2, .mirostat_tau = 3};
  params.dry_multiplier = 0.5;
  const auto run = [&](const Ids& forced) {
    params.forced_ids = forced;
    Sampler sampler(params, {.vocabulary = 50});
    Ids ids;
    for (std::uint64_t position = 0; position < 40; ++position) {
      std::vector<float> logits = logits_at(50, 2, position);
      ids.push_back(*sampler.choose(logits, position));
    }
    return ids;
  };
  const Ids free = run({});
  EXPECT_EQ(run({free.begin(), free.begin() + 25}), free) << "a replay goes on as the original";
  Ids other(free.begin(), free.begin() + 3);
  other[1] = other[1] == 0 ? 1 : 0;
  const Ids turned = run(other);
  EXPECT_TRUE(std::ranges::equal(std::span(turned).first(3), other));
}

TEST(RepetitionStopTest, NoticesPatternsInARow) {
  const auto stops_at = [](const Ids& ids, const SamplingParams& params) {
    RepetitionStop stop(params);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (stop.accept(ids[i])) return static_cast<int>(i);
    }
    return -1;
  };
  const Ids ids = {9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 5, 5, 5, 5};
  const auto params = [](std::int64_t low, std::int64_t high, std::int64_t count) {
    return SamplingParams{
        .repetition_pattern_min = low, .repetition_pattern_max = high, .repetition_count = count};
  };
  EXPECT_EQ(stops_at(ids, {}), -1) << "off by default";
  EXPECT_EQ(stops_at(ids, params(1, 8, 3)), 9);
  EXPECT_EQ(stops_at(ids, params(1, 8, 2)), 6);
  EXPECT_EQ(stops_at(ids, params(1, 2, 4)), 13);
  EXPECT_EQ(stops_at(ids, params(2, 2, 2)), 13) << "5 5 and 5 5";
  EXPECT_EQ(stops_at(ids, params(4, 8, 2)), -1);
}

/// Whether `text` ends in three copies in a row of a pattern of `size`.
bool ends_in_three(std::span<const TokenId> text, std::size_t size) {
  if (text.size() < size * 3) return false;
  const auto last = text.last(size * 2);
  return std::ranges::equal(last, text.last(size * 3).first(size * 2));
}

TEST(RepetitionStopTest, MatchesTheDefinitionOnRandomText) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RepetitionStop stop(
        {.repetition_pattern_min = 2, .repetition_pattern_max = 5, .repetition_count = 3});
    Ids text;
    for (std::uint64_t i = 0; i < 60; ++i) {
      text.push_back(static_cast<TokenId>(random_bits(seed, 0, i) % 2));
      bool expected = false;
      for (std::size_t size = 2; size <= 5; ++size) {
        expected = expected || ends_in_three(text, size);
      }
      ASSERT_EQ(stop.accept(text.back()), expected) << seed << " " << i;
    }
  }
}

TEST(RepetitionStopTest, EndsTheAnswer) {
  Sampler sampler({.repetition_pattern_max = 4, .repetition_count = 3}, {.vocabulary = 5});
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(sampler.stop().has_value());
    std::vector<float> logits = {0, 0, 1, 0, 0};
    EXPECT_TRUE(sampler.choose(logits, 0).ok());
  }
  EXPECT_EQ(sampler.stop(), SamplerStop::kRepetition);
}

TEST(NearTiesTest, CountsCloseCallsAndMovedFirstPlaces) {
  Sampler sampler({.bias = {{3, 2}}, .temperature = 1, .top_k = 1}, {.vocabulary = 5});
  const auto choose = [&](std::vector<float> logits) {
    EXPECT_TRUE(sampler.choose(logits, 0).ok());
  };
  choose({0, 5, 3, 0, 0});
  EXPECT_EQ(sampler.near_ties().gap_min, 2);
  EXPECT_EQ(sampler.near_ties().close, 0U);
  choose({0, 5, 4.995F, 0, 0});
  EXPECT_FLOAT_EQ(sampler.near_ties().gap_min, 5 - 4.995F);
  EXPECT_EQ(sampler.near_ties().close, 1U);
  EXPECT_EQ(sampler.near_ties().steered, 0U);
  choose({0, 5, 4, 4.5F, 0});  // the bias makes it 6.5
  EXPECT_EQ(sampler.near_ties().steered, 1U);
  EXPECT_EQ(sampler.near_ties().close, 1U);
}

TEST(DryBreakersTest, ARepetitionDoesNotReachOverABreaker) {
  const FakeVocabulary words({"foo", "bar\n", "ba"});
  const auto found = [&](const std::vector<std::string_view>& text) {
    Repeats repeats({.dry_multiplier = 1}, &words);
    for (const std::string_view each : text) repeats.accept(words.id(each));
    Ids ids;
    for (const Repeat& repeat : repeats.find()) ids.push_back(repeat.id);
    return ids;
  };
  EXPECT_EQ(found({"foo", "ba", "q", "foo", "ba"}), Ids{words.id("q")});
  EXPECT_EQ(found({"foo", "bar\n", "q", "foo", "bar\n"}), Ids{});
  EXPECT_EQ(found({"foo", "ba", "\n", "foo", "ba"}), Ids{}) << "a breaker itself is free";
  EXPECT_EQ(found({"\n", "ba", "q", "\n", "ba"}), Ids{}) << "one token since the breaker";
}

}  // namespace
}  // namespace cairn::engine
