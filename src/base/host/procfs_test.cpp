#include "base/host/procfs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/host/host.h"

namespace cairn::host {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kTickNs = 10'000'000;
constexpr std::int64_t kPage = 4096;

std::string stat_line(std::string_view name, std::string_view fields) {
  return "10 (" + std::string(name) + ") " + std::string(fields) + "\n";
}

// state ppid ... utime(12) stime(13) ... start(20) vsize rss(22), as proc(5) orders them.
constexpr std::string_view kFields =
    "S 7 1 1 0 -1 4194560 1 2 3 4 50 25 0 0 20 0 1 0 900 1000 3 99";

TEST(KernelStatTest, GuestTimeIsNotCountedTwice) {  // T-66
  const CpuTotals cpu = parse_kernel_stat("cpu  100 20 30 40 5 1 2 3 90 10\ncpu0 1 1 1 1\n");
  ASSERT_TRUE(cpu.available);
  EXPECT_EQ(cpu.total_ns, 201 * kTickNs);
  EXPECT_EQ(cpu.total_ns - cpu.busy_ns, 45 * kTickNs);
}

TEST(KernelStatTest, FourCountersAreEnoughAndThreeAreNot) {
  EXPECT_EQ(parse_kernel_stat("cpu 1 2 3 4").total_ns, 10 * kTickNs);
  EXPECT_EQ(parse_kernel_stat("cpu 1 2 3 4").busy_ns, 6 * kTickNs);
  EXPECT_FALSE(parse_kernel_stat("cpu 1 2 3").available);
}

TEST(KernelStatTest, CountersThatOverflowAreUnavailable) {  // T-67
  EXPECT_FALSE(parse_kernel_stat("cpu 9223372036854775807 1 0 0 0").available);
  EXPECT_FALSE(parse_kernel_stat("cpu 18446744073709551615 1 0 0").available);
  EXPECT_FALSE(parse_kernel_stat("cpu 9223372036854775 1 0 0").available) << "times 10 ms";
}

TEST(KernelStatTest, AnyOtherTextIsUnavailable) {
  for (const std::string_view text :
       {"", "\n", "cpu", "cpux 1 2 3 4", "intr 1 2 3 4", "cpu 1 2 3 x", "cpu 1 2 -3 4",
        "cpu 1 2 3 4.0", "\ncpu 1 2 3 4", "cpu0 1 2 3 4"}) {
    EXPECT_FALSE(parse_kernel_stat(text).available) << text;
  }
}

TEST(MeminfoTest, TotalAndAvailableAreKibAndBothMustBePositive) {
  const MemoryTotals memory =
      parse_meminfo("MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  450 kB\n");
  ASSERT_TRUE(memory.available);
  EXPECT_EQ(memory.total_bytes, 1000 * 1024);
  EXPECT_EQ(memory.available_bytes, 450 * 1024);
  EXPECT_FALSE(parse_meminfo("MemTotal: 1000 kB\n").available);
  EXPECT_FALSE(parse_meminfo("MemTotal: 1000 kB\nMemAvailable: 0 kB\n").available);
  EXPECT_FALSE(parse_meminfo("MemTotal: -1 kB\nMemAvailable: 4 kB\n").available);
  EXPECT_FALSE(parse_meminfo("MemTotal: 9223372036854775807 kB\nMemAvailable: 4 kB\n").available);
  EXPECT_FALSE(parse_meminfo("").available);
}

TEST(ProcessStatTest, TheFieldsBehindTheNameAreRead) {
  const auto entry = parse_process_stat(stat_line("sleep", kFields), kPage);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->parent_pid, 7);
  EXPECT_EQ(entry->start_identity, 900U);
  EXPECT_EQ(entry->image, "sleep");
  EXPECT_TRUE(entry->cpu_available);
  EXPECT_EQ(entry->cpu_ns, 75 * kTickNs);
  EXPECT_TRUE(entry->rss_available);
  EXPECT_EQ(entry->rss_bytes, 3 * kPage);
}

TEST(ProcessStatTest, ANameMayHoldBlanksAndParentheses) {  // T-65
  for (const std::string_view name : {"a b", "(x)", "R&D <1>) S 1 (", "C:\\x\\y", ""}) {
    const auto entry = parse_process_stat(stat_line(name, kFields), kPage);
    ASSERT_TRUE(entry.has_value()) << name;
    EXPECT_EQ(entry->image, name);
    EXPECT_EQ(entry->parent_pid, 7) << name;
  }
}

TEST(ProcessStatTest, NegativePagesAreNoneAndTimesThatOverflowAreUnavailable) {
  const auto negative = parse_process_stat(
      stat_line("x", "S 7 1 1 0 -1 0 1 2 3 4 50 25 0 0 20 0 1 0 900 1000 -3"), kPage);
  ASSERT_TRUE(negative.has_value());
  EXPECT_TRUE(negative->rss_available);
  EXPECT_EQ(negative->rss_bytes, 0);
  const auto huge = parse_process_stat(
      stat_line("x",
                "S 7 1 1 0 -1 0 1 2 3 4 9223372036854775807 25 0 0 20 0 1 0 900 1000 "
                "9223372036854775807"),
      kPage);
  ASSERT_TRUE(huge.has_value());
  EXPECT_FALSE(huge->cpu_available);
  EXPECT_FALSE(huge->rss_available);
}

TEST(ProcessStatTest, ATextOfAnotherFormIsRefused) {
  for (const std::string_view text : {"", "10", "10 (x", "10 x) S", ") (",
                                      "10 (x) S 7 1 1 0 -1 0 1 2 3 4 5 6 0 0 20 0 1 0 9 10"}) {
    EXPECT_FALSE(parse_process_stat(text, kPage).has_value()) << text;
  }
  EXPECT_FALSE(
      parse_process_stat(stat_line("x", "S y 1 1 0 -1 0 1 2 3 4 5 6 0 0 20 0 1 0 9 10 3"), kPage)
          .has_value());
}

/// A folder laid out like /proc.
class ProcfsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cairn-proc-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    write("stat", "cpu 1 2 3 4 0 0 0 0\n");
    write("meminfo", "MemTotal: 10 kB\nMemAvailable: 5 kB\n");
    write("10/stat", stat_line("sleep", kFields));
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, std::string_view text) const {
    fs::create_directories(fs::path(root_ + "/" + path).parent_path());
    std::ofstream(root_ + "/" + path) << text;
  }

  std::string root_;
};

TEST_F(ProcfsTest, EveryNumericEntryIsAProcess) {
  write("11/stat", stat_line("other", kFields));
  write("self/stat", stat_line("self", kFields));
  write("12x/stat", stat_line("no pid", kFields));
  const Snapshot snapshot = read_procfs(root_);
  EXPECT_TRUE(snapshot.enumerated);
  EXPECT_FALSE(snapshot.incomplete);
  EXPECT_EQ(snapshot.unreadable, 0);
  EXPECT_TRUE(snapshot.cpu.available);
  EXPECT_TRUE(snapshot.memory.available);
  std::vector<std::int64_t> pids;
  for (const ProcessEntry& entry : snapshot.processes) pids.push_back(entry.pid);
  std::ranges::sort(pids);
  EXPECT_EQ(pids, (std::vector<std::int64_t>{10, 11}));
}

TEST_F(ProcfsTest, AnEntryThatVanishedOrHoldsRubbishIsCountedAndMarksTheSnapshot) {  // T-61
  fs::create_directories(root_ + "/11");
  write("12/stat", "12 (half");
  write("99999999999999999999/stat", stat_line("pid that is no number", kFields));
  const Snapshot snapshot = read_procfs(root_);
  EXPECT_TRUE(snapshot.enumerated);
  EXPECT_TRUE(snapshot.incomplete);
  EXPECT_EQ(snapshot.unreadable, 3);
  EXPECT_EQ(snapshot.processes.size(), 1U);
}

TEST_F(ProcfsTest, AnEndlessOrBlockingEntryIsUnreadableAndNotWaitedFor) {
  fs::create_directories(root_ + "/11");
  fs::create_symlink("/dev/zero", root_ + "/11/stat");
  write("12/stat", std::string(3U << 20U, 'x'));
  const Snapshot snapshot = read_procfs(root_);
  EXPECT_EQ(snapshot.unreadable, 2);
}

TEST_F(ProcfsTest, WithoutAListTheNoteSaysWhyAndHoldsNoPath) {
  const Snapshot snapshot = read_procfs(root_ + "/none");
  EXPECT_FALSE(snapshot.enumerated);
  EXPECT_FALSE(snapshot.cpu.available);
  EXPECT_NE(snapshot.note.find("No such file"), std::string::npos);
  EXPECT_EQ(snapshot.note.find('/'), std::string::npos) << snapshot.note;
}

TEST_F(ProcfsTest, TotalsThatAreMissingLeaveTheProcesses) {
  fs::remove(root_ + "/stat");
  fs::remove(root_ + "/meminfo");
  const Snapshot snapshot = read_procfs(root_);
  EXPECT_FALSE(snapshot.cpu.available);
  EXPECT_FALSE(snapshot.memory.available);
  EXPECT_EQ(snapshot.processes.size(), 1U);
}

TEST(HostTest, ThisHostListsThisVeryProcessAndWhatLookingCost) {
#ifdef __linux__
  const Snapshot snapshot = take_snapshot();
  EXPECT_TRUE(snapshot.enumerated);
  EXPECT_TRUE(snapshot.cpu.available);
  EXPECT_TRUE(snapshot.memory.available);
  EXPECT_GT(snapshot.census_ns, 0);
  const auto self = std::ranges::find(snapshot.processes, ::getpid(), &ProcessEntry::pid);
  ASSERT_NE(self, snapshot.processes.end());
  EXPECT_EQ(self->parent_pid, ::getppid());
  EXPECT_GT(self->rss_bytes, 0);
  EXPECT_NE(self->start_identity, 0U);
#else
  GTEST_SKIP() << "no reader for this system";
#endif
}

}  // namespace
}  // namespace cairn::host
