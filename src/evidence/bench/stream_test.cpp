// Fake servers with known delays, and the load that is sent to them.
#include "evidence/bench/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "evidence/bench/load.h"

namespace cairn::evidence {
namespace {

StreamChunk text_at(double at) { return {.at_milliseconds = at, .has_text = true}; }

StreamChunk usage(double at, std::int64_t tokens, std::string_view finish = "length") {
  return {.at_milliseconds = at, .output_tokens = tokens, .finish_reason = finish};
}

TEST(StreamTest, ARoleOnlyOpeningIsNotTheFirstToken) {  // M-41, M-42
  const std::vector<StreamChunk> chunks = {
      {.at_milliseconds = 5}, text_at(100), text_at(110), text_at(120), usage(121, 3)};
  const StreamFigures figures = fold_stream(chunks, 3);
  EXPECT_EQ(*figures.ttft, 100);
  EXPECT_EQ(*figures.e2e, 120);
  EXPECT_EQ(*figures.tpot, 10);
  EXPECT_EQ(*figures.tokens_per_second, 25);
  EXPECT_FALSE(figures.ended_early);
}

TEST(StreamTest, CoarseChunksChangeTheTimeBetweenChunksAndNotTheTimePerToken) {  // M-42, M-43
  const std::vector<StreamChunk> coarse = {text_at(100), text_at(200), usage(201, 11)};
  const StreamFigures figures = fold_stream(coarse, 11);
  EXPECT_EQ(figures.inter_chunk, std::vector<double>{100});
  EXPECT_EQ(*figures.tokens_per_chunk, 5.5);
  EXPECT_EQ(*figures.tpot, 10);
}

TEST(StreamTest, WithoutUsageThereIsNoRate) {  // M-40
  const std::vector<StreamChunk> chunks = {
      text_at(100), text_at(110), {.at_milliseconds = 111, .finish_reason = "length"}};
  const StreamFigures figures = fold_stream(chunks, 2);
  EXPECT_FALSE(figures.tokens || figures.tpot || figures.tokens_per_second);
  EXPECT_EQ(*figures.ttft, 100);
}

TEST(StreamTest, AnAnswerThatEndsBeforeItsLengthIsAnEarlyEnd) {  // M-27
  const std::vector<StreamChunk> cut = {text_at(100)};
  EXPECT_TRUE(fold_stream(cut, 8).ended_early);
  const std::vector<StreamChunk> brief = {text_at(100), usage(101, 1)};
  EXPECT_TRUE(fold_stream(brief, 8).ended_early);
  const std::vector<StreamChunk> stopped = {text_at(100), usage(101, 1, "stop")};
  EXPECT_FALSE(fold_stream(stopped, 8).ended_early);
  EXPECT_FALSE(fold_stream(stopped, 8).tpot);  // one token has no time between tokens
  EXPECT_FALSE(fold_stream({}, 8).ttft);
}

TEST(LoadTest, OpenLoopArrivalsComeAtTheirRateAndAreThoseOfTheSeed) {
  const std::vector<double> arrivals = open_loop_arrivals(7, 4000, 50);
  EXPECT_EQ(arrivals, open_loop_arrivals(7, 4000, 50));
  EXPECT_NE(arrivals, open_loop_arrivals(8, 4000, 50));
  EXPECT_EQ(arrivals[0], 0);
  EXPECT_TRUE(std::ranges::is_sorted(arrivals));
  // The mean of 3,999 exponential gaps is within 5 % of 20 ms for all but one seed in 600.
  EXPECT_NEAR(arrivals.back() / 3999, 20, 1);
}

TEST(LoadTest, TheGridIsOneToThirtyTwoClients) {  // M-49
  EXPECT_EQ(kClosedLoopClients, (std::array<int, 6>{1, 2, 4, 8, 16, 32}));
}

TEST(LoadTest, TheMixedLoadIsAFunctionOfTheSeedAndKeepsItsShares) {  // M-50
  const auto load = mixed_load(7, 100, {10, 20, 30, 40});
  std::map<std::string_view, std::size_t> counts;
  for (const LoadRequest& request : load) ++counts[request.load_class];
  EXPECT_EQ(counts["short question"], 35U);
  EXPECT_EQ(counts["code"], 40U);
  EXPECT_EQ(counts["prose"], 15U);
  EXPECT_EQ(counts["long review"], 10U);
  const auto text = [](const std::vector<LoadRequest>& requests) {
    std::string all;
    for (const LoadRequest& one : requests) {
      all += std::string(one.load_class) + std::to_string(one.prompt) + ";";
    }
    return all;
  };
  EXPECT_EQ(text(load), text(mixed_load(7, 100, {10, 20, 30, 40})));
  EXPECT_NE(text(load), text(mixed_load(8, 100, {10, 20, 30, 40})));
  EXPECT_EQ(mixed_load(7, 7, {1, 1, 1, 1}).size(), 7U);
}

TEST(LoadTest, LengthsFallIntoDoublingRanges) {  // M-51
  const std::vector<double> lengths = {0, 1, 2, 3, 4, 7, 8, 1000};
  EXPECT_EQ(length_histogram(lengths), (std::map<std::int64_t, std::size_t>{
                                           {0, 1}, {1, 1}, {2, 2}, {4, 2}, {8, 1}, {512, 1}}));
}

}  // namespace
}  // namespace cairn::evidence
