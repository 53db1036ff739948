#include "cli/bench/lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cairn::cli {
namespace {

using testing::HasSubstr;

constexpr std::chrono::seconds kLong{900};  // other tests measure beside this one

bool never() { return false; }

TEST(BenchLockTest, TwoSeriesNeverOverlap) {  // M-28
  const Result<BenchLock> first = BenchLock::take(kLong, never);
  ASSERT_TRUE(first.ok()) << first.status().message();
  const Result<BenchLock> second = BenchLock::take(std::chrono::seconds(0), never);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.status().message(), HasSubstr(std::to_string(::getpid())));
  EXPECT_THAT(second.status().message(), HasSubstr("--lock-wait"));
  EXPECT_EQ(BenchLock::take(kLong, [] { return true; }).status().code(), StatusCode::kCancelled);
}

TEST(BenchLockTest, AChildOfASeriesNamesItsHolder) {
  const Result<BenchLock> held = BenchLock::take(kLong, never);
  ASSERT_TRUE(held.ok()) << held.status().message();
  EXPECT_TRUE(BenchLock::held_by(::getpid()).ok());
  const Status other = BenchLock::held_by(::getpid() + 1);
  EXPECT_THAT(other.message(), HasSubstr("does not hold"));
}

TEST(BenchLockTest, ItGoesWithItsObject) {
  {
    const Result<BenchLock> held = BenchLock::take(kLong, never);
    ASSERT_TRUE(held.ok());
  }
  EXPECT_TRUE(BenchLock::take(kLong, never).ok());
}

}  // namespace
}  // namespace cairn::cli
