#include "evidence/arm/arm_run.h"

#include <gtest/gtest.h>

#include <functional>

#include "evidence/arm/arm_run_sample.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

TEST(ArmRunTest, WhatIsWrittenIsReadAgain) {
  const ArmRun run = sample_arm_run();
  const std::string text = document_text(run);
  const Decoded<ArmRun> read = decode_arm_run(text);
  ASSERT_TRUE(read.ok()) << to_lines(read.findings, "run");
  EXPECT_EQ(document_text(read.value), text);
  EXPECT_TRUE(check_arm_run(read.value).empty());
}

TEST(ArmRunTest, TheRateIsOfTheDecodeStepsAlone) {
  EXPECT_EQ(tokens_per_second(sample_arm_run()), 100) << "64 steps in 640 ms";
}

TEST(ArmRunTest, EachPlantedFaultIsFound) {  // M-03
  const std::function<void(ArmRun&)> faults[] = {
      [](ArmRun& run) { run.schema = "x"; },
      [](ArmRun& run) { run.model_sha256 = "ABC"; },
      [](ArmRun& run) { run.prompt_sha256 = std::string(64, '0'); },
      [](ArmRun& run) { run.outputs_sha256 = ""; },
      [](ArmRun& run) { run.threads = 0; },
      [](ArmRun& run) { run.context_tokens = 0; },
      [](ArmRun& run) { run.prompt_tokens = -1; },
      [](ArmRun& run) { run.output_tokens = 0; },
      [](ArmRun& run) { run.end_to_end_milliseconds = 0; },
      [](ArmRun& run) { run.ttft_milliseconds = 0; },
      [](ArmRun& run) { run.prefill_milliseconds = -1; },
      [](ArmRun& run) { run.decode_milliseconds = 0; },
      [](ArmRun& run) { run.peak_bytes = 0; },
      [](ArmRun& run) { run.resident_bytes = 0; },
  };
  for (std::size_t i = 0; i < std::size(faults); ++i) {
    ArmRun run = sample_arm_run();
    faults[i](run);
    const Findings findings = check_arm_run(run);
    ASSERT_FALSE(findings.empty()) << i;
    EXPECT_EQ(findings[0].text().find("[M-03]"), 0U) << findings[0].text();
  }
}

TEST(ArmRunTest, OneTokenNeedsNoDecodeTime) {
  ArmRun run = sample_arm_run();
  run.output_tokens = 1;
  run.decode_milliseconds = 0;
  EXPECT_TRUE(check_arm_run(run).empty());
}

}  // namespace
}  // namespace cairn::evidence
