// Loads whose answers and times are written down: nothing here waits.
#include "cli/bench/serve_readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace cairn::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// An answer of `tokens` tokens: the first after `first_ms`, then `gap_ms` apart.
LoadOutcome answered(double due_ms, double first_ms, double gap_ms, int tokens) {
  std::vector<evidence::StreamChunk> chunks;
  for (int i = 0; i < tokens; ++i) {
    chunks.push_back({.at_milliseconds = first_ms + gap_ms * i, .has_text = true});
  }
  chunks.push_back({.at_milliseconds = first_ms + gap_ms * tokens,
                    .output_tokens = tokens,
                    .finish_reason = "length"});
  LoadOutcome outcome;
  outcome.figures = evidence::fold_stream(chunks, tokens);
  outcome.text = "text";
  outcome.prompt_tokens = 20;
  outcome.due_ms = due_ms;
  outcome.end_ms = due_ms + first_ms + gap_ms * tokens;
  return outcome;
}

LoadOutcome refused() {
  LoadOutcome outcome;
  outcome.error = "the server answered 503: busy";
  return outcome;
}

std::vector<double> values_of_metric(const evidence::ArmRound& round, std::string_view metric,
                                     bool cold) {
  const auto found = std::ranges::find_if(round.readings, [&](const evidence::Reading& reading) {
    return reading.metric == metric && reading.cold == cold;
  });
  return found == round.readings.end() ? std::vector<double>() : found->values;
}

const ServedLoad kLoad = {
    .label = "c1", .warm_up = 1, .classes = {"code", "code", "prose", "prose"}};

// B04: failed requests are not fast ones.
TEST(ServeReadingsTest, FailedRequestsCountAsFailedAndGiveNoReading) {  // M-19
  evidence::ArmRound round;
  const Status status = add_load(kLoad,
                                 {answered(0, 1000, 10, 10), answered(1100, 100, 20, 10), refused(),
                                  answered(1400, 300, 20, 10)},
                                 true, round);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_THAT(values_of_metric(round, "ttft.c1", true), ElementsAre(1000));
  EXPECT_THAT(values_of_metric(round, "ttft.c1", false), ElementsAre(100, 300));
  EXPECT_THAT(values_of_metric(round, "tpot.c1", true), ElementsAre(10));
  EXPECT_THAT(values_of_metric(round, "tpot.c1", false), ElementsAre(20, 20));
  EXPECT_EQ(values_of_metric(round, "itl.c1", true), std::vector<double>(9, 10));
  EXPECT_THAT(values_of_metric(round, "ttft.c1.code", false), ElementsAre(100));
  EXPECT_THAT(values_of_metric(round, "ttft.c1.prose", false), ElementsAre(300));
  EXPECT_EQ(round.work.requests, 4);
  EXPECT_EQ(round.work.failed, 1);
  EXPECT_EQ(round.work.output_tokens, 30) << "of usage, and none of the failed one";
  EXPECT_EQ(round.work.prompt_tokens, 60);
}

TEST(ServeReadingsTest, RatesAreOverTheTimeFromTheFirstRequestToTheLastAnswer) {
  evidence::ArmRound round;
  const Status status = add_load(kLoad,
                                 {answered(0, 100, 10, 10), answered(0, 100, 10, 10),
                                  answered(200, 100, 10, 10), answered(300, 100, 10, 10)},
                                 true, round);
  ASSERT_TRUE(status.ok());
  // The three later ones: 30 tokens from 0 to 300 + 200 ms.
  EXPECT_THAT(values_of_metric(round, "output.c1", false), ElementsAre(60));
  EXPECT_THAT(values_of_metric(round, "requests.c1", false), ElementsAre(6));
}

TEST(ServeReadingsTest, EveryMetricOfTheUnitsHasItsReading) {  // M-02
  for (const bool usage : {true, false}) {
    evidence::ArmRound round;
    const LoadOutcome one = answered(0, 100, 10, 10);
    ASSERT_TRUE(add_load(kLoad, {one, one, one, one}, usage, round).ok());
    for (const evidence::MetricUnit& unit : serve_units(kLoad, usage)) {
      EXPECT_FALSE(values_of_metric(round, unit.metric, false).empty()) << unit.metric;
      if (!usage) {
        EXPECT_FALSE(unit.unit.starts_with("tokens")) << "M-40: " << unit.metric;
      }
    }
  }
}

TEST(ServeReadingsTest, ALegWithoutOneAnswerSaysWhatItMet) {
  evidence::ArmRound round;
  const Status status = add_load(kLoad, {refused(), refused(), refused(), refused()}, true, round);
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("the server answered 503: busy"));
}

TEST(ServeReadingsTest, AnEarlyEndIsCounted) {  // M-27
  LoadOutcome cut = answered(0, 100, 10, 10);
  cut.figures.ended_early = true;
  evidence::ArmRound round;
  const LoadOutcome whole = answered(0, 100, 10, 10);
  ASSERT_TRUE(add_load(kLoad, {whole, cut, whole, whole}, true, round).ok());
  EXPECT_EQ(round.work.ended_early, 1);
}

}  // namespace
}  // namespace cairn::cli
