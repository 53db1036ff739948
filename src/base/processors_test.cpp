#include "base/processors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

namespace cairn {
namespace {

/// A machine as its files describe it, in a folder of its own.
class ProcessorsTest : public ::testing::Test {
 protected:
  ProcessorsTest()
      : root_(std::filesystem::temp_directory_path() /
              ("cairn-processors-" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::remove_all(root_);
  }
  ~ProcessorsTest() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path whole = root_ / path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }
  void write_cpu(std::size_t n, const std::string& name, const std::string& text) {
    write("sys/devices/system/cpu/cpu" + std::to_string(n) + "/" + name, text);
  }
  ThreadChoice choose(std::size_t processors) {
    std::vector<std::size_t> allowed(processors);
    std::iota(allowed.begin(), allowed.end(), std::size_t{0});
    return choose_threads(root_.string(), allowed, std::nullopt).value();
  }
  Result<ThreadChoice> choose_node(std::size_t processors, std::optional<std::uint64_t> node) {
    std::vector<std::size_t> allowed(processors);
    std::iota(allowed.begin(), allowed.end(), std::size_t{0});
    return choose_threads(root_.string(), allowed, node);
  }
  void write_node(std::size_t n, const std::string& processors) {
    write("sys/devices/system/node/node" + std::to_string(n) + "/cpulist", processors);
  }

  std::filesystem::path root_;
};

TEST_F(ProcessorsTest, X01ChoosesNoMoreThanAQuota) {
  write("proc/self/cgroup", "0::/docker/one\n");
  write("sys/fs/cgroup/docker/one/cpu.max", "400000 100000\n");
  EXPECT_EQ(choose(8).threads, 4U);
  EXPECT_EQ(choose(8).reason, "a quota of 4 processors");
  EXPECT_EQ(choose(2).threads, 2U);
}

TEST_F(ProcessorsTest, X02RoundsAQuotaDownInBothVersionsAndInParents) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/outer/cpu.max", "250000 100000\n");
  EXPECT_EQ(choose(8).threads, 2U);

  write("proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/outer/inner\n0::/\n");
  write("sys/fs/cgroup/cpu,cpuacct/outer/inner/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/outer/inner/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/cpu,cpuacct/outer/cpu.cfs_quota_us", "50000\n");
  write("sys/fs/cgroup/cpu,cpuacct/outer/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(choose(8).threads, 1U);
}

// In a container the group's own path does not exist below the mount, which shows its files on top.
TEST_F(ProcessorsTest, X02FindsTheQuotaOfAContainerThatSeesItsGroupAsTheTop) {
  write("proc/self/cgroup", "0::/../../somewhere\n");
  write("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(choose(4).threads, 1U);
}

TEST_F(ProcessorsTest, X03CountsPhysicalCoresInsideTheMask) {
  for (std::size_t n = 0; n < 16; ++n) {
    const std::size_t core = n / 2 * 2;
    write_cpu(n, "topology/thread_siblings_list",
              std::to_string(core) + "-" + std::to_string(core + 1) + "\n");
  }
  EXPECT_EQ(choose(8).threads, 4U);
  EXPECT_EQ(choose(8).reason, "4 cores");
  const std::vector<std::size_t> one_of_each = {0, 2, 4, 6};
  EXPECT_EQ(choose_threads(root_.string(), one_of_each, std::nullopt)->threads, 4U);
}

TEST_F(ProcessorsTest, X06LeavesSlowCoresOut) {
  for (std::size_t n = 0; n < 8; ++n) write_cpu(n, "cpu_capacity", n < 4 ? "446\n" : "1024\n");
  EXPECT_EQ(choose(8).threads, 4U);
  EXPECT_EQ(choose(8).reason, "4 cores of the fast kind");
  const std::vector<std::size_t> slow = {0, 1};
  EXPECT_EQ(choose_threads(root_.string(), slow, std::nullopt)->threads, 2U);
}

TEST_F(ProcessorsTest, X06KnowsPerformanceCores) {
  write("sys/devices/cpu_core/cpus", "0-3\n");
  for (std::size_t n = 0; n < 4; ++n) {
    write_cpu(n, "topology/thread_siblings_list", n < 2 ? "0-1\n" : "2-3\n");
  }
  EXPECT_EQ(choose(8).threads, 2U);
}

// X08: two sockets together are slower than one, so that one is the default, and one can be chosen.
TEST_F(ProcessorsTest, X08StaysOnOneMemoryNodeAndTakesTheOneThatIsAskedFor) {
  write("sys/devices/system/node/online", "0-1\n");
  write_node(0, "0-3\n");
  write_node(1, "4-7\n");
  EXPECT_EQ(choose(8).threads, 4U);
  EXPECT_EQ(choose(8).reason, "4 cores of node 0");
  EXPECT_EQ(choose(8).processors, (std::vector<std::size_t>{0, 1, 2, 3}));
  const ThreadChoice other = choose_node(8, 1).value();
  EXPECT_EQ(other.threads, 4U);
  EXPECT_EQ(other.processors, (std::vector<std::size_t>{4, 5, 6, 7}));
  // A process that may use two processors of one node and four of the other gets the four.
  const std::vector<std::size_t> most = {2, 3, 4, 5, 6, 7};
  EXPECT_EQ(choose_threads(root_.string(), most, std::nullopt)->reason, "4 cores of node 1");
  const Status wrong = choose_node(8, 2).status();
  EXPECT_EQ(wrong.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(wrong.message(), "node: 2 has no processor for this process; nodes with some: 0, 1");
  EXPECT_FALSE(choose_node(4, 1).ok());  // a node outside of the mask
}

TEST_F(ProcessorsTest, X08LeavesThreadsWhereTheyAreOnAMachineOfOneNode) {
  EXPECT_TRUE(choose(4).processors.empty());
  write("sys/devices/system/node/online", "0\n");
  write_node(0, "0-3\n");
  EXPECT_TRUE(choose(4).processors.empty());
  EXPECT_EQ(choose(4).reason, "4 cores");
  EXPECT_EQ(choose_node(4, 0)->threads, 4U);
}

TEST(StayOnTest, KeepsAThreadOnOneProcessorForAWhile) {
  const std::vector<std::size_t> before = allowed_processors();
  {
    const StayOn scope(std::span<const std::size_t>(before).last(1));
    EXPECT_EQ(allowed_processors(), std::vector<std::size_t>{before.back()});
  }
  EXPECT_EQ(allowed_processors(), before);
}

TEST_F(ProcessorsTest, TakesEveryProcessorWhereNothingIsKnown) {
  EXPECT_EQ(choose(3).threads, 3U);
  EXPECT_EQ(choose(0).threads, 1U);
}

TEST_F(ProcessorsTest, TakesNoTextForANumberThatIsNone) {
  write("proc/self/cgroup", "no group\n:\n::\n0::");
  for (const char* text : {"", "max", "0 0", "-5 100000", "1 0", "x y", "99999999999999999999 1"}) {
    write("sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(choose(4).threads, 4U) << text;
  }
  write("sys/devices/cpu_core/cpus", "9-3,,x");
  EXPECT_EQ(choose(4).threads, 4U);
}

TEST_F(ProcessorsTest, X12CountsWhatTheLauncherAllowsHere) {
  EXPECT_GE(allowed_processors().size(), 1U);
  EXPECT_LE(choose_threads().threads, allowed_processors().size());
}

}  // namespace
}  // namespace cairn
