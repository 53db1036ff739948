// Recorded by hand from the layouts of the Windows calls: no Windows is needed to run these.
#include "base/host/windows_samples.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::host {
namespace {

/// `units` of 100 ns.
FileTime units(std::uint64_t value) {
  return {.low = static_cast<std::uint32_t>(value),
          .high = static_cast<std::uint32_t>(value >> 32U)};
}

WindowsSample sample() {
  WindowsSample sample;
  sample.system_times = {.idle = units(70), .kernel = units(90), .user = units(30)};
  sample.memory = {.total_bytes = 1000, .available_bytes = 400};
  sample.walk_started = true;
  sample.processes = {{.pid = 8,
                       .parent_pid = 4,
                       .image = "bench.exe",
                       .times = WindowsProcessTimes{.creation = units(0x1DC000000000001),
                                                    .kernel = units(5),
                                                    .user = units(6)},
                       .working_set_bytes = 4096}};
  return sample;
}

TEST(WindowsSamplesTest, KernelTimeIncludesIdleAndUnitsAreHundredNanoseconds) {
  const Snapshot snapshot = windows_snapshot(sample());
  ASSERT_TRUE(snapshot.cpu.available);
  EXPECT_EQ(snapshot.cpu.total_ns, 12000);
  EXPECT_EQ(snapshot.cpu.busy_ns, 5000);
  ASSERT_TRUE(snapshot.memory.available);
  EXPECT_EQ(snapshot.memory.total_bytes, 1000);
  EXPECT_EQ(snapshot.memory.available_bytes, 400);
}

TEST(WindowsSamplesTest, BothHalvesOfAFileTimeCount) {
  WindowsSample large = sample();
  large.system_times = {.idle = {}, .kernel = {.low = 0, .high = 1}, .user = {}};
  EXPECT_EQ(windows_snapshot(large).cpu.total_ns, (std::int64_t{1} << 32U) * 100);
}

TEST(WindowsSamplesTest, AProcessHasItsCreationTimeAsIdentity) {
  const Snapshot snapshot = windows_snapshot(sample());
  ASSERT_EQ(snapshot.processes.size(), 1U);
  const ProcessEntry& entry = snapshot.processes[0];
  EXPECT_EQ(entry.pid, 8);
  EXPECT_EQ(entry.parent_pid, 4);
  EXPECT_EQ(entry.start_identity, 0x1DC000000000001U);
  EXPECT_EQ(entry.image, "bench.exe");
  EXPECT_TRUE(entry.cpu_available);
  EXPECT_EQ(entry.cpu_ns, 1100);
  EXPECT_TRUE(entry.rss_available);
  EXPECT_EQ(entry.rss_bytes, 4096);
}

TEST(WindowsSamplesTest, AnUnrelatedProcessThatCannotBeOpenedLeavesTheSnapshotComplete) {  // T-61
  WindowsSample protected_one = sample();
  protected_one.processes.push_back({.pid = 4, .image = "System"});
  const Snapshot snapshot = windows_snapshot(protected_one);
  EXPECT_EQ(snapshot.unreadable, 1);
  EXPECT_FALSE(snapshot.incomplete);
  EXPECT_EQ(snapshot.processes.size(), 2U);
  protected_one.processes.back().working_set_bytes = 1;
  EXPECT_EQ(windows_snapshot(protected_one).unreadable, 0);
}

TEST(WindowsSamplesTest, AWalkThatEndsEarlyMarksTheSnapshotIncomplete) {
  WindowsSample cut = sample();
  cut.walk_end_error = 5;
  const Snapshot snapshot = windows_snapshot(cut);
  EXPECT_TRUE(snapshot.incomplete);
  EXPECT_TRUE(snapshot.enumerated);
  EXPECT_NE(snapshot.note.find('5'), std::string::npos);
  EXPECT_EQ(snapshot.processes.size(), 1U);
}

TEST(WindowsSamplesTest, AWalkThatDoesNotStartIsAFailedEnumeration) {
  WindowsSample none = sample();
  none.walk_started = false;
  none.walk_end_error = 8;
  const Snapshot snapshot = windows_snapshot(none);
  EXPECT_FALSE(snapshot.enumerated);
  EXPECT_TRUE(snapshot.processes.empty());
  EXPECT_NE(snapshot.note.find('8'), std::string::npos);
}

TEST(WindowsSamplesTest, WhatDoesNotFitOrContradictsItselfIsUnavailable) {
  WindowsSample odd = sample();
  odd.system_times = {.idle = units(200), .kernel = units(90), .user = units(30)};
  EXPECT_FALSE(windows_snapshot(odd).cpu.available) << "more idle than total";
  odd.system_times = {.idle = {}, .kernel = units(~std::uint64_t{0}), .user = {}};
  EXPECT_FALSE(windows_snapshot(odd).cpu.available);
  odd.system_times = {.idle = {}, .kernel = units(std::uint64_t{1} << 62U), .user = {}};
  EXPECT_FALSE(windows_snapshot(odd).cpu.available) << "times 100 ns";
  odd.memory = {.total_bytes = ~std::uint64_t{0}, .available_bytes = 1};
  EXPECT_FALSE(windows_snapshot(odd).memory.available);
  odd.memory.reset();
  odd.system_times.reset();
  EXPECT_FALSE(windows_snapshot(odd).cpu.available);
  EXPECT_FALSE(windows_snapshot(odd).memory.available);
}

TEST(WindowsSamplesTest, NamesBecomeUtf8AndLoneSurrogatesTheReplacementCharacter) {
  const std::u16string text = u"a\u00E9\u20AC\U0001F600";
  EXPECT_EQ(utf8_of_utf16(text.data(), text.size()), "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  const char16_t lone[] = {0xD83D, u'x', 0xDE00};
  EXPECT_EQ(utf8_of_utf16(lone, 3), "\xEF\xBF\xBDx\xEF\xBF\xBD");
}

}  // namespace
}  // namespace cairn::host
