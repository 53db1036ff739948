// Findings and verdicts at and around their limits (native-performance.md 7.5).
#include "evidence/attestation/verdict.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "evidence/attestation/check.h"
#include "evidence/attestation/vectors.h"

namespace cairn::evidence::attestation {
namespace {

/// A change of a clean report and the one finding that it brings.
struct Planted {
  std::string_view code;
  std::string_view verdict;
  std::function<void(Attestation&)> plant;
};

const std::vector<Planted>& planted() {
  static const std::vector<Planted> kAll = {
      {"INVALID_BASELINE_WINDOW", "invalid", [](Attestation& e) { e.baseline_window.samples = 1; }},
      {"INVALID_BASELINE_WINDOW", "invalid",
       [](Attestation& e) { e.baseline_window.duration_ns = 0; }},
      {"INVALID_WINDOW", "invalid", [](Attestation& e) { e.command_window.samples = 1; }},
      {"INVALID_WINDOW", "invalid", [](Attestation& e) { e.command_window.duration_ns = 0; }},
      {"INVALID_WINDOW", "invalid", [](Attestation& e) { e.coverage.sut_root_pid = 0; }},
      {"BASELINE_HOST_CPU_UNKNOWN", "investigate",
       [](Attestation& e) { e.baseline_host_totals.cpu_percent.available = false; }},
      {"HOST_CPU_UNKNOWN", "investigate",
       [](Attestation& e) { e.host_totals.cpu_percent.available = false; }},
      {"SUT_CPU_UNKNOWN", "investigate",
       [](Attestation& e) { e.attribution.sut_cpu_percent_of_host.available = false; }},
      {"SUT_CPU_UNKNOWN", "investigate",
       [](Attestation& e) { e.attribution.non_sut_cpu_percent_of_host.available = false; }},
      {"PROCESS_MEMORY_UNKNOWN", "investigate",
       [](Attestation& e) {
         e.policy.require_process_memory = true;
         e.attribution.non_sut_rss_bytes.available = false;
       }},
      {"SAMPLER_DUTY_UNKNOWN", "investigate",
       [](Attestation& e) {
         e.baseline_sampler.duty_percent.available = false;
         e.command_sampler.duty_percent.available = false;
       }},
      {"BASELINE_SAMPLER_DUTY_HIGH", "investigate",
       [](Attestation& e) { e.baseline_sampler.duty_percent.value = 10.0001; }},
      {"COMMAND_SAMPLER_DUTY_HIGH", "investigate",
       [](Attestation& e) { e.command_sampler.duty_percent.value = 10.0001; }},
      {"BASELINE_HOST_CPU_HIGH", "investigate",
       [](Attestation& e) { e.baseline_host_totals.cpu_percent.value = 20.0001; }},
      {"NON_SUT_CPU_HIGH", "investigate",
       [](Attestation& e) { e.attribution.non_sut_cpu_percent_of_host.value = 20.0001; }},
      {"COMMAND_FAILED", "invalid", [](Attestation& e) { e.command_exit_code = -1; }},
      {"COMMAND_TIMEOUT", "invalid", [](Attestation& e) { e.timed_out = true; }},
  };
  return kAll;
}

TEST(VerdictTest, EachConditionBringsItsFindingAlone) {
  for (const Planted& each : planted()) {
    Attestation report = vector_a().report();
    each.plant(report);
    const Judgement judgement = judge(report);
    EXPECT_EQ(judgement.verdict, each.verdict) << each.code;
    ASSERT_EQ(judgement.remarks.size(), 1U) << each.code;
    EXPECT_EQ(judgement.remarks[0].code, each.code);
    EXPECT_FALSE(judgement.remarks[0].detail.empty()) << each.code;
  }
}

/// Everything planted at once but the conditions whose code holds `left_out`: a value cannot be
/// unknown and too high.
void expect_in_order(std::string_view left_out) {
  Attestation report = vector_a().report();
  std::vector<std::string_view> codes;
  for (const Planted& each : planted()) {
    if (each.code.find(left_out) != std::string_view::npos) continue;
    each.plant(report);
    if (codes.empty() || codes.back() != each.code) codes.push_back(each.code);
  }
  const Judgement judgement = judge(report);
  EXPECT_EQ(judgement.verdict, "invalid");
  std::vector<std::string_view> found;
  for (const Remark& remark : judgement.remarks) found.emplace_back(remark.code);
  EXPECT_EQ(found, codes);
}

TEST(VerdictTest, FindingsStandInTheOrderOfTheTableAndInvalidIsNeverLowered) {
  expect_in_order("HIGH");
  expect_in_order("UNKNOWN");
}

TEST(VerdictTest, ExactlyAtALimitIsClean) {  // T-52, T-53
  Attestation report = vector_a().report();
  report.attribution.non_sut_cpu_percent_of_host.value = 20;
  report.baseline_host_totals.cpu_percent.value = 20;
  report.baseline_sampler.duty_percent.value = 10;
  report.command_sampler.duty_percent.value = 10;
  EXPECT_EQ(judge(report).verdict, "clean");
}

TEST(VerdictTest, TwentyPercentOfOthersIsCleanAndAHairMoreIsNot) {  // T-52
  EXPECT_EQ(vector_samples(800'000'000).report().verdict, "clean");
  const Attestation report = vector_samples(800'004'000).report();
  EXPECT_EQ(report.verdict, "investigate");
  EXPECT_EQ(report.findings->at(0).code, "NON_SUT_CPU_HIGH");
}

TEST(VerdictTest, ADutyOfExactlyTheLimitIsCleanAndAHairMoreIsNot) {  // T-53
  VectorSamples vector = vector_a();
  vector.baseline[0].census_ns = kSecondNs / 10;
  vector.command[0].census_ns = kSecondNs / 10;
  EXPECT_EQ(vector.report().verdict, "clean");
  vector.command[0].census_ns += 1;
  const Attestation report = vector.report();
  EXPECT_EQ(report.verdict, "investigate");
  EXPECT_EQ(report.findings->at(0).code, "COMMAND_SAMPLER_DUTY_HIGH");
  EXPECT_EQ(report.host_totals.cpu_percent.value, 27.500000000000004) << "nothing is corrected";
}

TEST(VerdictTest, WhatIsNotRequiredMayBeUnknown) {
  VectorSamples vector = vector_a();
  for (host::Snapshot& each : vector.command) each.cpu.available = false;
  vector.baseline[0].cpu.available = false;
  const Policy relaxed = {.require_host_cpu = false, .require_sut_cpu = false};
  EXPECT_EQ(vector.report(relaxed).verdict, "clean");
  EXPECT_EQ(vector.report().verdict, "investigate");
}

TEST(VerdictTest, ASystemWithoutAReaderIsNeverClean) {
  VectorSamples vector;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto at_ns = static_cast<std::int64_t>(i) * kSecondNs;
    vector.baseline[i] = {.utc_ns = at_ns, .monotonic_ns = at_ns, .note = "no reader"};
    vector.command[i] = vector.baseline[i];
  }
  const Attestation report = vector.report();
  EXPECT_EQ(report.verdict, "investigate");
  EXPECT_EQ(report.coverage.process_enumeration_note, "no reader");
  EXPECT_TRUE(check(report).empty());
  EXPECT_TRUE(check_opt_in(report).empty());
}

TEST(VerdictTest, APolicyOfAHundredPercentIsCleanByItsOwnLights) {  // T-103
  VectorSamples vector = vector_samples(2 * kSecondNs);
  EXPECT_EQ(vector.report({.maximum_non_sut_cpu_percent = 100, .maximum_sampler_duty_percent = 100})
                .verdict,
            "clean");
}

TEST(VerdictTest, EveryReportThatIsBuiltPassesItsOwnCheck) {
  for (const std::int64_t x_ns : {std::int64_t{0}, kSecondNs / 10, 2 * kSecondNs}) {
    for (const std::int64_t exit_code : {0, 1, 143}) {
      VectorSamples vector = vector_samples(x_ns);
      vector.exit_code = exit_code;
      vector.timed_out = exit_code == 143;
      const Attestation report = vector.report({.include_top_consumers = true});
      EXPECT_TRUE(check(report).empty()) << to_lines(check(report), "report");
    }
  }
}

}  // namespace
}  // namespace cairn::evidence::attestation
