// Window, host totals, cost and coverage from samples (native-performance.md 7.4).
#include "evidence/attestation/fold.h"

#include <gtest/gtest.h>

#include <limits>

#include "evidence/attestation/vectors.h"

namespace cairn::evidence::attestation {
namespace {

using Snapshots = std::vector<host::Snapshot>;

Snapshots command() {
  const VectorSamples vector = vector_a();
  return {vector.command[0], vector.command[1]};
}

TEST(UtcTextTest, TheFractionHasNoTrailingZerosAndIsGoneWhenWhole) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(100 * kSecondNs), "1970-01-01T00:01:40Z");
  EXPECT_EQ(utc_text(1), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(utc_text(1'500'000'000), "1970-01-01T00:00:01.5Z");
  EXPECT_EQ(utc_text(1'709'164'800 * kSecondNs), "2024-02-29T00:00:00Z");
  EXPECT_EQ(utc_text(951'868'799 * kSecondNs), "2000-02-29T23:59:59Z");
  EXPECT_EQ(utc_text(4'107'542'400 * kSecondNs), "2100-03-01T00:00:00Z");
  EXPECT_EQ(utc_text(1'798'761'599'990'000'000), "2026-12-31T23:59:59.99Z");
  EXPECT_EQ(utc_text(-1), "1969-12-31T23:59:59.999999999Z");
}

TEST(FoldTest, SamplesAreOrderedByTheMonotonicClockAndTheCallersStay) {
  Snapshots samples = command();
  std::swap(samples[0], samples[1]);
  const Series series = ordered(samples);
  EXPECT_EQ(series[0], &samples[1]);
  EXPECT_EQ(fold_window(series, 7).duration_ns, kSecondNs);
}

TEST(FoldTest, AWallClockThatJumpsChangesNoDuration) {
  Snapshots samples = command();
  samples[1].utc_ns = 0;
  const Window window = fold_window(ordered(samples), 7);
  EXPECT_EQ(window.started_at_utc, "1970-01-01T00:01:40Z");
  EXPECT_EQ(window.ended_at_utc, "1970-01-01T00:01:41Z");
  EXPECT_EQ(window.sample_interval_ns, 7);
  EXPECT_EQ(window.samples, 2);
}

TEST(FoldTest, HostCpuNeedsBothEnds) {  // T-58
  for (const std::size_t end : {0, 1}) {
    Snapshots samples = command();
    samples[end].cpu.available = false;
    EXPECT_FALSE(host_delta(ordered(samples)).has_value()) << end;
    EXPECT_FALSE(fold_host(ordered(samples)).cpu_percent.available) << end;
  }
  Snapshots middle = command();
  middle.insert(middle.begin() + 1, middle[0]);
  middle[1].cpu.available = false;
  EXPECT_TRUE(host_delta(ordered(middle)).has_value()) << "only the ends count";
}

TEST(FoldTest, CountersGoingBackwardsAreUnavailableAndNeverClamped) {  // T-59
  const auto available = [](std::int64_t total_ns, std::int64_t busy_ns) {
    Snapshots samples = command();
    samples[0].cpu = {.available = true, .total_ns = 100, .busy_ns = 50};
    samples[1].cpu = {.available = true, .total_ns = total_ns, .busy_ns = busy_ns};
    return host_delta(ordered(samples)).has_value();
  };
  EXPECT_TRUE(available(200, 50));
  EXPECT_TRUE(available(200, 150));
  EXPECT_FALSE(available(200, 49));
  EXPECT_FALSE(available(200, 151));
  EXPECT_FALSE(available(100, 50));
  EXPECT_FALSE(available(99, 50));
  EXPECT_FALSE(available(std::numeric_limits<std::int64_t>::min(), 50));
}

TEST(FoldTest, MemoryIsTheFirstTotalAndTheLowestAvailable) {
  Snapshots samples(4);
  samples[1].memory = {.available = true, .total_bytes = 900, .available_bytes = 300};
  samples[2].memory = {.available = true, .total_bytes = 901, .available_bytes = 200};
  samples[3].memory = {.available = true, .total_bytes = 902, .available_bytes = 250};
  const HostTotals totals = fold_host(ordered(samples));
  EXPECT_EQ(totals.memory_total_bytes.value, 900);
  EXPECT_EQ(totals.memory_available_bytes.value, 200);
  EXPECT_FALSE(fold_host(ordered(Snapshots(2))).memory_total_bytes.available);
  EXPECT_FALSE(fold_host(ordered(Snapshots(2))).process_count.available);
}

TEST(FoldTest, TheCostOfTheLastSampleIsNotCounted) {  // T-55
  Snapshots samples = command();
  samples[0].census_ns = 10'000'000;
  samples[1].census_ns = std::numeric_limits<std::int64_t>::max();
  const Sampler sampler = fold_sampler(ordered(samples));
  EXPECT_EQ(sampler.counted_samples, 1);
  EXPECT_EQ(sampler.wall_ns, 10'000'000);
  EXPECT_EQ(sampler.duty_percent.value, 1);
}

TEST(FoldTest, WithoutTwoSamplesTimeOrASensibleCostTheDutyIsUnknown) {
  const auto unknown_with = [](Snapshots samples) {
    const Sampler sampler = fold_sampler(ordered(samples));
    EXPECT_EQ(sampler.wall_ns, 0);
    EXPECT_FALSE(sampler.duty_percent.reason.empty());
    return !sampler.duty_percent.available;
  };
  EXPECT_TRUE(unknown_with({}));
  EXPECT_TRUE(unknown_with({command()[0]}));
  EXPECT_TRUE(unknown_with({command()[0], command()[0]}));
  Snapshots samples = command();
  samples[0].census_ns = -1;
  EXPECT_TRUE(unknown_with(samples));
  samples.insert(samples.begin(), samples[0]);
  samples[0].census_ns = std::numeric_limits<std::int64_t>::max();
  samples[1].census_ns = 1;
  EXPECT_TRUE(unknown_with(samples)) << "the sum overflows";
}

TEST(FoldTest, CoverageCountsWhatWasSeen) {
  Snapshots samples = command();
  samples[0].processes[1].cpu_available = false;
  samples[0].processes[1].rss_available = false;
  samples[0].unreadable = 1;
  samples[0].note = "first";
  samples[1].note = "last";
  samples.push_back({.monotonic_ns = 9 * kSecondNs, .unreadable = 2});
  const Coverage coverage = fold_coverage(ordered(samples), 10);
  EXPECT_EQ(coverage.process_snapshots, 2);
  EXPECT_EQ(coverage.processes_observed, 4);
  EXPECT_EQ(coverage.process_reads, 3);
  EXPECT_EQ(coverage.process_unreadable, 3);
  EXPECT_EQ(coverage.host_cpu_samples, 2);
  EXPECT_EQ(coverage.host_memory_samples, 2);
  EXPECT_EQ(coverage.sut_root_pid, 10);
  EXPECT_EQ(coverage.descendant_attribution, "sampled_pid_ppid_tree");
  EXPECT_EQ(coverage.process_enumeration_note, "last");
}

}  // namespace
}  // namespace cairn::evidence::attestation
