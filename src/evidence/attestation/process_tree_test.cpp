// What belongs to the command and what it used (native-performance.md 7.4).
#include "evidence/attestation/process_tree.h"

#include <gtest/gtest.h>

#include "base/host/windows_samples.h"
#include "evidence/attestation/vectors.h"

namespace cairn::evidence::attestation {
namespace {

using Snapshots = std::vector<host::Snapshot>;

Snapshots command() {
  const VectorSamples vector = vector_a();
  return {vector.command[0], vector.command[1]};
}

Attribution fold(const Snapshots& samples, std::int64_t root_pid = 10) {
  return fold_attribution(ordered(samples), root_pid);
}

bool cpu_known(const Snapshots& samples) {
  const Attribution parts = fold(samples);
  EXPECT_EQ(parts.sut_cpu_percent_of_host.available, parts.non_sut_cpu_percent_of_host.available);
  return parts.sut_cpu_percent_of_host.available;
}

bool rss_known(const Snapshots& samples) {
  const Attribution parts = fold(samples);
  EXPECT_EQ(parts.sut_rss_bytes.available, parts.non_sut_rss_bytes.available);
  return parts.sut_rss_bytes.available;
}

host::ProcessEntry entry(std::int64_t pid, std::int64_t parent_pid, std::int64_t cpu_ns) {
  return {.pid = pid,
          .parent_pid = parent_pid,
          .start_identity = 1000 + static_cast<std::uint64_t>(pid),
          .image = "p",
          .cpu_available = true,
          .cpu_ns = cpu_ns,
          .rss_available = true,
          .rss_bytes = 1000};
}

TEST(ProcessTreeTest, DescendantsOfAnyDepthCountAndCyclesEnd) {
  Snapshots samples = command();
  for (std::size_t i = 0; i < 2; ++i) {
    const auto cpu_ns = static_cast<std::int64_t>(i) * 100;
    samples[i].processes.push_back(entry(31, 30, cpu_ns));
    samples[i].processes.push_back(entry(30, 10, cpu_ns));
    samples[i].processes.push_back(entry(41, 42, cpu_ns));
    samples[i].processes.push_back(entry(42, 41, cpu_ns));
  }
  const Attribution parts = fold(samples);
  EXPECT_EQ(parts.sut_cpu_percent_of_host.value, (1e9 + 200) / 4e9 * 100);
  EXPECT_EQ(parts.sut_rss_bytes.value, 2060);
  EXPECT_EQ(parts.non_sut_rss_bytes.value, 2120);
}

TEST(ProcessTreeTest, AnOrphanThatWasADescendantStaysOne) {
  Snapshots samples = command();
  samples[0].processes.push_back(entry(30, 10, 0));
  samples[1].processes.push_back(entry(30, 1, 100));
  EXPECT_EQ(fold(samples).sut_cpu_percent_of_host.value, (1e9 + 100) / 4e9 * 100);
}

TEST(ProcessTreeTest, AReusedRootPidIsTwoProcesses) {  // T-56
  Snapshots samples = command();
  samples[1].processes[0].start_identity = 101;
  EXPECT_FALSE(cpu_known(samples));
  EXPECT_EQ(vector_a().report().verdict, "clean");
  VectorSamples vector = vector_a();
  vector.command[1].processes[0].start_identity = 101;
  EXPECT_EQ(vector.report().verdict, "investigate");
}

TEST(ProcessTreeTest, AReusedPidOutsideTheTreeIsNotSpliced) {
  Snapshots samples = command();
  samples[1].processes[1].start_identity = 201;
  EXPECT_TRUE(cpu_known(samples));
  for (const Consumer& each : top_consumers(ordered(samples), 10)) {
    EXPECT_FALSE(each.cpu_available);
    EXPECT_EQ(each.cpu_seconds, 0);
  }
}

TEST(ProcessTreeTest, MoreCpuThanTheHostWasBusyIsUnavailable) {  // T-57
  Snapshots samples = command();
  samples[1].processes[0].cpu_ns += kSecondNs / 10;
  EXPECT_TRUE(cpu_known(samples)) << "exactly all of it";
  EXPECT_EQ(fold(samples).non_sut_cpu_percent_of_host.value, 0);
  samples[1].processes[0].cpu_ns += 1;
  EXPECT_FALSE(cpu_known(samples));
}

TEST(ProcessTreeTest, CpuThatFallsOrIsMissingIsUnavailable) {  // T-59
  Snapshots samples = command();
  samples[1].processes[0].cpu_ns = 99;
  EXPECT_FALSE(cpu_known(samples));
  samples = command();
  samples[0].processes[0].cpu_available = false;
  EXPECT_FALSE(cpu_known(samples));
  samples = command();
  samples[0].processes[0].start_identity = 0;
  samples[1].processes[0].start_identity = 0;
  EXPECT_FALSE(cpu_known(samples));
}

TEST(ProcessTreeTest, ACommandSeenOnceCannotBeAttributed) {  // T-64
  VectorSamples vector = vector_a();
  vector.command[1].processes.erase(vector.command[1].processes.begin());
  const Attestation report = vector.report();
  EXPECT_FALSE(report.attribution.sut_cpu_percent_of_host.available);
  EXPECT_EQ(report.verdict, "investigate");
  EXPECT_EQ(report.findings->at(0).code, "SUT_CPU_UNKNOWN");
}

TEST(ProcessTreeTest, ADescendantSeenOnceBreaksCompleteness) {
  Snapshots samples = command();
  samples[1].processes.push_back(entry(30, 10, 0));
  EXPECT_FALSE(cpu_known(samples));
  EXPECT_TRUE(rss_known(samples));
}

TEST(ProcessTreeTest, ARootThatWasNeverSeenIsToBeInvestigatedAndPidZeroInvalid) {  // T-60
  VectorSamples vector = vector_a();
  vector.root_pid = 77;
  EXPECT_EQ(vector.report().verdict, "investigate");
  vector.root_pid = 0;
  EXPECT_EQ(vector.report().verdict, "invalid");
  EXPECT_FALSE(vector.report().attribution.sut_cpu_percent_of_host.available);
}

TEST(ProcessTreeTest, AnUnreadableProcessBreaksItOnLinux) {  // T-61
  VectorSamples vector = vector_a();
  vector.command[0].unreadable = 1;
  vector.command[0].incomplete = true;
  const Attestation report = vector.report();
  EXPECT_FALSE(report.attribution.sut_cpu_percent_of_host.available);
  EXPECT_EQ(report.verdict, "investigate");
}

/// A sample as the Windows calls give it: the command, and a protected process nobody may open.
host::Snapshot windows_sample(std::int64_t index) {
  const auto units = static_cast<std::uint32_t>(index) * 1'000'000;
  host::WindowsSample sample;
  sample.system_times = {.idle = {.low = 3 * units}, .kernel = {.low = 5 * units}, .user = {}};
  sample.walk_started = true;
  sample.processes = {
      {.pid = 10,
       .parent_pid = 4,
       .image = "bench.exe",
       .times =
           host::WindowsProcessTimes{.creation = {.low = 9}, .kernel = {}, .user = {.low = units}},
       .working_set_bytes = 50},
      {.pid = 4, .image = "System"}};
  host::Snapshot snapshot = windows_snapshot(sample);
  snapshot.monotonic_ns = index * kSecondNs;
  return snapshot;
}

TEST(ProcessTreeTest, AnUnreadableUnrelatedProcessLeavesItCompleteOnWindows) {  // T-61
  const Snapshots samples = {windows_sample(1), windows_sample(2)};
  const Attribution parts = fold(samples);
  ASSERT_TRUE(parts.sut_cpu_percent_of_host.available) << parts.sut_cpu_percent_of_host.reason;
  EXPECT_EQ(parts.sut_cpu_percent_of_host.value, 20);
  EXPECT_EQ(parts.non_sut_cpu_percent_of_host.value, 20);
  EXPECT_FALSE(parts.sut_rss_bytes.available);
  EXPECT_EQ(fold_coverage(ordered(samples), 10).process_unreadable, 2);
}

TEST(ProcessTreeTest, MissingRssNeverTouchesTheCpu) {  // T-62
  VectorSamples vector = vector_a();
  vector.command[0].processes[0].rss_available = false;
  const Attestation report = vector.report();
  EXPECT_EQ(report.verdict, "clean");
  EXPECT_TRUE(report.attribution.sut_cpu_percent_of_host.available);
  EXPECT_FALSE(report.attribution.sut_rss_bytes.available);
  const Attestation strict = vector.report({.require_process_memory = true});
  EXPECT_EQ(strict.verdict, "investigate");
  EXPECT_EQ(strict.findings->at(0).code, "PROCESS_MEMORY_UNKNOWN");
}

TEST(ProcessTreeTest, RssIsThePeakOfTheSumsAndNeedsEveryProcess) {
  Snapshots samples = command();
  EXPECT_EQ(fold(samples).sut_rss_bytes.value, 60);
  samples[0].unreadable = 1;
  EXPECT_FALSE(rss_known(samples));
  samples = command();
  samples[0].enumerated = false;
  EXPECT_FALSE(rss_known(samples));
  EXPECT_FALSE(cpu_known(samples));
}

TEST(ConsumersTest, TheFiveThatUsedMostAreNamedMostFirst) {
  Snapshots samples = command();
  for (std::size_t i = 0; i < 2; ++i) {
    const auto turn = static_cast<std::int64_t>(i);
    for (const std::int64_t pid : {50, 51, 52, 53, 54, 55}) {
      samples[i].processes.push_back(entry(pid, 1, turn * (pid < 54 ? 1000 : 2000)));
    }
    samples[i].processes.back().rss_bytes = 2000;         // 55: as much time, more memory than 54
    samples[i].processes.push_back(entry(30, 10, turn));  // of the tree
    samples[i].processes.push_back(entry(0, 0, turn * kSecondNs));
  }
  std::vector<std::int64_t> pids;
  for (const Consumer& each : top_consumers(ordered(samples), 10)) pids.push_back(each.pid);
  EXPECT_EQ(pids, (std::vector<std::int64_t>{20, 55, 54, 50, 51}));
}

TEST(ConsumersTest, NamesAreScrubbedAndAlwaysUtf8) {  // T-65
  Snapshots samples = command();
  for (host::Snapshot& sample : samples) sample.processes[1].image = "C:\\bin\\a (b) \xFF<&";
  EXPECT_EQ(top_consumers(ordered(samples), 10).at(0).image, "a (b) \xEF\xBF\xBD<&");
}

}  // namespace
}  // namespace cairn::evidence::attestation
