#include "evidence/bench/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evidence/bench/rounds.h"
#include "evidence/bench/sample.h"

namespace cairn::evidence {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SummaryTest, AWinIsMoreThanOneAndTheBandStandsBesideIt) {  // M-45
  const std::string text = summary_of(sample_record(), sample_control());
  EXPECT_THAT(text, HasSubstr("decode_rate [tokens/s (decode)]"));
  EXPECT_THAT(text, HasSubstr("2.000 ahead"));
  EXPECT_THAT(text, HasSubstr("0.1 %"));
  EXPECT_THAT(text, HasSubstr("outputs: token-exact"));
}

TEST(SummaryTest, InsideTheNoiseItIsATie) {  // M-26
  SampleReadings readings;
  readings.ours = {100.05, 100.05, 100.05};
  readings.reference = {100, 100, 100};
  EXPECT_THAT(summary_of(sample_record(readings), sample_control()), HasSubstr("tie"));
}

TEST(SummaryTest, PairsThatDisagreeAreNotSeparated) {  // M-26
  SampleReadings readings;
  readings.ours = {102, 98, 102};
  readings.reference = {100, 100, 100};
  EXPECT_THAT(summary_of(sample_record(readings), sample_control()), HasSubstr("not separated"));
}

TEST(SummaryTest, OtherWorkForbidsARatioAndSaysWhy) {  // M-27
  BenchRecord record = sample_record();
  record.work[0].output_tokens = 63;
  const std::string text = summary_of(record, sample_control());
  EXPECT_THAT(text, HasSubstr("no ratio: [M-27] an arm failed, ended early or did other work"));
  EXPECT_THAT(text, Not(HasSubstr("ahead")));
}

TEST(SummaryTest, ABusyMachineForbidsARatio) {
  BenchRecord record = sample_record();
  record.samples.push_back({.arm = "cairn",
                            .repetition = 3,
                            .metric = std::string(kOthersCpuMetric),
                            .values = {50},
                            .system_baseline_digest = {}});
  const std::string text = summary_of(record, sample_control());
  EXPECT_THAT(text, HasSubstr("no ratio: the machine was busy: others took 50 %"));
  EXPECT_THAT(text, Not(HasSubstr("ahead")));
}

TEST(SummaryTest, WhatSpreadsIsARangeAndWhatDiffersIsNamed) {  // M-25, M-35
  SampleReadings readings;
  readings.ours = {200, 220, 240};
  BenchRecord record = sample_record(readings);
  record.arms[0].manifest.threads = 4;
  const std::string text = summary_of(record, sample_control());
  EXPECT_THAT(text, HasSubstr("220 (200 to 240)"));
  EXPECT_THAT(text, HasSubstr("differs: threads: 4 and 2"));
}

TEST(SummaryTest, QuantilesNeedTheirReadings) {  // M-44
  BenchRecord record = sample_record();
  EXPECT_THAT(summary_of(record, sample_control()), Not(HasSubstr("p95")));
  for (BenchSample& sample : record.samples) sample.values.assign(20, sample.values[0]);
  const std::string text = summary_of(record, sample_control());
  EXPECT_THAT(text, HasSubstr("p95"));
  EXPECT_THAT(text, Not(HasSubstr("p99")));
}

}  // namespace
}  // namespace cairn::evidence
