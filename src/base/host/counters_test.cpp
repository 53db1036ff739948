#include "base/host/counters.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace cairn::host {
namespace {

namespace fs = std::filesystem;

/// A folder laid out like /proc, removed at the end.
class FakeProc {
 public:
  FakeProc() : root_(testing::TempDir() + "counters-" + std::to_string(::getpid())) {
    fs::remove_all(root_);
  }
  ~FakeProc() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  FakeProc(const FakeProc&) = delete;
  FakeProc& operator=(const FakeProc&) = delete;

  void put(const std::string& name, std::string_view text) const {
    const fs::path path = fs::path(root_) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

TEST(CountersTest, EachComesFromItsLine) {  // M-29
  const FakeProc proc;
  proc.put("sys/kernel/random/boot_id", "11111111-2222-3333-4444-555555555555\n");
  proc.put("vmstat", "nr_free_pages 5\npswpin 7\npswpout 9\noom_kill 2\n");
  proc.put("stat", "cpu  100 20 30 40 5 1 2 300 0 0\ncpu0 1 1 1 1\n");
  proc.put("meminfo", "MemTotal: 100 kB\nMemFree: 20 kB\nMemAvailable: 60 kB\n");
  const Counters counters = read_counters(proc.root());
  EXPECT_EQ(counters.boot_id, "11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(counters.swap_ins, 7);
  EXPECT_EQ(counters.oom_kills, 2);
  EXPECT_EQ(counters.steal_ms, 3000) << "the eighth counter, in ticks of ten milliseconds";
  EXPECT_EQ(counters.memory.available_bytes, 60 * 1024);
}

TEST(CountersTest, WhatIsNotThereIsZeroAndNothingIsGuessed) {
  const FakeProc proc;
  proc.put("stat", "cpu x\n");
  const Counters counters = read_counters(proc.root());
  EXPECT_EQ(counters.boot_id, "");
  EXPECT_EQ(counters.swap_ins + counters.oom_kills, 0);
  EXPECT_EQ(counters.steal_ms, 0);
  EXPECT_FALSE(counters.cpu.available);
  EXPECT_FALSE(others_cpu_percent(counters, counters));
  EXPECT_FALSE(read_process_memory(1, proc.root()));
}

TEST(CountersTest, TheMemoryOfAProcessIsItsRollup) {  // M-54
  const FakeProc proc;
  proc.put("42/smaps_rollup",
           "00400000-7fff00000000 ---p 00000000 00:00 0 [rollup]\nRss:   200 kB\nPss:   120 kB\n"
           "Pss_Dirty: 5 kB\n");
  const auto memory = read_process_memory(42, proc.root());
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->rss_bytes, 200 * 1024);
  EXPECT_EQ(memory->pss_bytes, 120 * 1024);
}

TEST(CountersTest, OthersAreWhatIsBusyAndNotOurs) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const Counters before = {.cpu = {.available = true, .total_ns = 0, .busy_ns = 0}};
  Counters after = {.cpu = {.available = true, .total_ns = 10 * kSecond, .busy_ns = 6 * kSecond},
                    .own_ns = 4 * kSecond};
  EXPECT_EQ(others_cpu_percent(before, after), 20);
  after.own_ns = 7 * kSecond;
  EXPECT_EQ(others_cpu_percent(before, after), 0) << "clocks tick apart";
  EXPECT_FALSE(others_cpu_percent(after, after)) << "no time passed";
}

TEST(CountersTest, ThisHostIsReadAsFarAsItSays) {
  const Counters counters = read_counters();
  EXPECT_GT(counters.own_ns, 0);
  const auto own = read_process_memory(::getpid());
  if (!own) GTEST_SKIP() << "this system does not say what a process holds";
  EXPECT_GE(own->rss_bytes, own->pss_bytes);
}

}  // namespace
}  // namespace cairn::host
