#include "base/memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace cairn {
namespace {

class MemoryTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path full = root_ + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  std::uint64_t available() { return available_memory_bytes(root_).value(); }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::string root_ = testing::TempDir() + "cairn_memory_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(MemoryTest, IsWhatTheMachineHasWithoutAControlGroup) {
  write("/proc/meminfo", "MemTotal: 100 kB\nMemAvailable:    64 kB\n");
  EXPECT_EQ(available(), 64U * 1024);
}

TEST_F(MemoryTest, IsWhatTheTightestControlGroupLeaves) {
  write("/proc/meminfo", "MemAvailable:    64 kB\n");
  write("/proc/self/cgroup", "0::/outer/inner\n");
  write("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write("/sys/fs/cgroup/outer/inner/memory.current", "1000\n");
  write("/sys/fs/cgroup/outer/memory.max", "30000\n");
  write("/sys/fs/cgroup/outer/memory.current", "12000\n");
  write("/sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 2000\n");
  EXPECT_EQ(available(), 20000U) << "pages of files that can be dropped are not taken";
}

TEST_F(MemoryTest, ReadsTheLimitInsideAContainer) {
  write("/proc/meminfo", "MemAvailable:    64 kB\n");
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/memory.max", "5000\n");
  write("/sys/fs/cgroup/memory.current", "6000\n");
  EXPECT_EQ(available(), 0U);
}

TEST_F(MemoryTest, SaysWhatIsMissing) {
  write("/proc/meminfo", "MemTotal: 100 kB\n");
  EXPECT_NE(available_memory_bytes(root_).status().message().find("MemAvailable"),
            std::string::npos);
}

TEST_F(MemoryTest, ThisProcessHasTakenSome) {
  EXPECT_GT(peak_rss_bytes(), 1U << 20);
  EXPECT_GT(available_memory_bytes().value(), 0U);
}

}  // namespace
}  // namespace cairn
