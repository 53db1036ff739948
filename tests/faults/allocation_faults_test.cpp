// A model is opened while one allocation after the other fails: each time a clean error, and
// everything given back.
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "runtime/runtime.h"
#include "tests/faults/failing_allocator.h"
#include "tests/memory/models.h"

namespace cairn::runtime {
namespace {

class AllocationFaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!faults::replaced()) GTEST_SKIP() << "a sanitizer has its own allocator";
  }

  /// Opens `path` with the allocation `number` failing, -1 for none, and closes it again.
  static Status open(const std::string& path, std::int64_t number) {
    const OpenOptions options{.path = path, .context = 64, .threads = 2};
    faults::fail_at(number);
    const Result<std::unique_ptr<Runtime>> model = Runtime::open(options);
    return model.status();
  }

  /// Lets every `stride`th allocation of opening `path` fail.
  static void fail_every(const std::string& path, std::int64_t stride) {
    ASSERT_TRUE(open(path, -1).ok());  // what is made once for the process is there from now on
    ASSERT_TRUE(open(path, -1).ok());
    const std::int64_t count = faults::counted();
    faults::fail_at(-1);
    ASSERT_GT(count, 100);
    const std::int64_t before = faults::live_blocks();
    const std::size_t heap_before = heap_bytes();
    std::int64_t attempts = 0;
    for (std::int64_t number = 0; number < count; number += stride, ++attempts) {
      const Status status = open(path, number);
      const bool failed = faults::failed();
      faults::fail_at(-1);
      ASSERT_TRUE(failed) << "allocation " << number << " of " << count << " never came";
      // Few places can do without what they asked for; then the model is open and works.
      if (!status.ok()) {
        ASSERT_FALSE(status.message().empty()) << number;
        ASSERT_NE(status.code(), StatusCode::kInternal) << number << ": " << status.message();
        ASSERT_NE(status.code(), StatusCode::kInvalidFile) << number << ": " << status.message();
      }
    }
    EXPECT_EQ(faults::live_blocks(), before) << "after " << attempts << " failures";
    EXPECT_LT(heap_bytes(), heap_before + (std::size_t{1} << 20));
    EXPECT_TRUE(open(path, -1).ok());
  }

  static std::size_t heap_bytes() {
    const struct mallinfo2 heap = ::mallinfo2();
    return heap.uordblks + heap.hblkhd;
  }
};

TEST_F(AllocationFaultsTest, EveryAllocationOfOpeningASmallModelMayFail) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("cairn-faults-" + std::to_string(::getpid())))
          .string();
  tests::write_model({.shape = {.layers = 1}, .type = ElementType::kQ8_0}, path);
  fail_every(path, 1);
  std::filesystem::remove(path);
}

TEST_F(AllocationFaultsTest, SomeOfEachPartOfOpeningARealModelMayFail) {
  const std::string path = CAIRN_TEST_DATA_DIR "/SmolLM2-135M-Instruct.Q4_1.gguf";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " was not fetched";
  ASSERT_TRUE(open(path, -1).ok());
  const std::int64_t count = faults::counted();
  fail_every(path, count / 40 + 1);
}

}  // namespace
}  // namespace cairn::runtime
