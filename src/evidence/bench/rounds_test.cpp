#include "evidence/bench/rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evidence/bench/figures.h"
#include "evidence/bench/sample.h"

namespace cairn::evidence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A record that has everything but rounds.
BenchRecord empty_record() {
  BenchRecord record = sample_record();
  record.work.clear();
  record.samples.clear();
  return record;
}

ArmRound round_of(double rate) {
  ArmRound round;
  round.work = {.arm = {},
                .requests = 1,
                .prompt_tokens = 32,
                .output_tokens = 64,
                .outputs_sha256 = sample_hash('5')};
  round.readings = {{.metric = "decode_rate", .values = {rate}}};
  return round;
}

TEST(RoundsTest, TheOrderTurnsAroundEveryRoundAndTheRecordIsValid) {  // M-02, M-23
  BenchRecord record = empty_record();
  std::vector<std::size_t> order;
  const Status status = run_rounds(record, 3, [&](const RoundAsk& ask) -> Result<ArmRound> {
    order.push_back(ask.arm);
    EXPECT_FALSE(ask.reload);
    return round_of(100 + static_cast<double>(ask.arm));
  });
  ASSERT_TRUE(status.ok());
  EXPECT_THAT(order, ElementsAre(0, 1, 1, 0, 0, 1));
  seal(record);
  EXPECT_TRUE(validate_bench_record(record).empty())
      << to_lines(validate_bench_record(record), "record");
}

TEST(RoundsTest, AFailedRequestEndsTheSeriesAndStaysInIt) {  // M-02, M-19
  BenchRecord record = empty_record();
  const Status status = run_rounds(record, 5, [](const RoundAsk& ask) -> Result<ArmRound> {
    ArmRound round = round_of(100);
    round.work.failed = ask.repetition == 2 && ask.arm == 0 ? 1 : 0;
    return round;
  });
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(record.work.size(), 4U) << "the round is finished";
  EXPECT_FALSE(void_reasons(record).empty());
}

TEST(RoundsTest, AnErrorOfAnArmIsTheSeriesError) {
  BenchRecord record = empty_record();
  const Status status = run_rounds(
      record, 3, [](const RoundAsk&) -> Result<ArmRound> { return unavailable("gone"); });
  EXPECT_EQ(status.message(), "gone");
}

TEST(RoundsTest, AControlIsOneArmTwiceWithReload) {  // M-22
  BenchRecord control = control_of(empty_record(), 0);
  EXPECT_EQ(control.subject.key, "smollm2 decode A/A");
  EXPECT_EQ(control.settings.size(), 2U);
  const Status status = run_rounds(control, 3, [](const RoundAsk& ask) -> Result<ArmRound> {
    EXPECT_TRUE(ask.reload);
    ArmRound round = round_of(100);
    round.readings.push_back({.metric = "decode_rate", .cold = true, .values = {90}});
    return round;
  });
  ASSERT_TRUE(status.ok());
  seal(control);
  EXPECT_TRUE(validate_bench_record(control).empty())
      << to_lines(validate_bench_record(control), "control");
}

TEST(RoundsTest, DirectionsFollowUnits) {  // M-45
  BenchRecord record = empty_record();
  set_units(record, {{.metric = "a", .unit = "ms"},
                     {.metric = "b", .unit = "tokens/s (decode)"},
                     {.metric = "c", .unit = "percent"}});
  EXPECT_FALSE(is_higher_better(record, "a"));
  EXPECT_TRUE(is_higher_better(record, "b"));
  EXPECT_FALSE(is_higher_better(record, "c"));
}

TEST(RoundsTest, ABusyMachineIsTold) {
  BenchRecord record = empty_record();
  EXPECT_EQ(busy_reason(record), "");
  record.samples.push_back({.arm = "cairn",
                            .repetition = 2,
                            .metric = std::string(kOthersCpuMetric),
                            .values = {19, 35},
                            .system_baseline_digest = {}});
  EXPECT_THAT(busy_reason(record), HasSubstr("35 % of it in repetition 2 of cairn"));
  record.samples.back().values = {20};
  EXPECT_EQ(busy_reason(record), "");
}

}  // namespace
}  // namespace cairn::evidence
