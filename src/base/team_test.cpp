#include "base/team.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn {
namespace {

class TeamTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TeamTest, EveryWorkerRunsOnceAndWorkerZeroIsTheCaller) {
  Team team(GetParam());
  ASSERT_EQ(team.workers(), GetParam());
  std::vector<int> calls(GetParam(), 0);
  std::vector<std::thread::id> ids(GetParam());
  for (int run = 1; run <= 100; ++run) {
    team.run([&](std::size_t worker) {
      ++calls[worker];
      ids[worker] = std::this_thread::get_id();
    });
    ASSERT_EQ(calls, std::vector<int>(GetParam(), run));
  }
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  for (std::size_t a = 0; a < ids.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(ids[a], ids[b]);
  }
}

// Each worker reads its neighbour's plain, unguarded slot: a barrier that lets one through early
// gives a wrong sum here and a report under the thread sanitizer.
TEST_P(TeamTest, WhatIsWrittenBeforeABarrierIsSeenAfterIt) {
  constexpr std::size_t kRounds = 2000;
  Team team(GetParam());
  std::vector<std::size_t> slots(GetParam(), 0);
  std::vector<std::size_t> wrong(GetParam(), 0);
  team.run([&](std::size_t worker) {
    for (std::size_t round = 1; round <= kRounds; ++round) {
      slots[worker] = round * 100 + worker;
      team.barrier();
      const std::size_t next = (worker + 1) % team.workers();
      if (slots[next] != round * 100 + next) ++wrong[worker];
      team.barrier();
    }
  });
  EXPECT_EQ(wrong, std::vector<std::size_t>(GetParam(), 0));
}

TEST_P(TeamTest, WorkersThatHaveFallenAsleepWakeUpAgain) {
  Team team(GetParam());
  std::vector<int> calls(GetParam(), 0);
  for (int run = 1; run <= 3; ++run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    team.run([&](std::size_t worker) {
      if (worker == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      team.barrier();
      ++calls[worker];
    });
    ASSERT_EQ(calls, std::vector<int>(GetParam(), run));
  }
}

// Whatever the budget, all meet; changing it between runs changes nothing but time.
TEST_P(TeamTest, EveryWayOfWaitingKeepsTheBarriers) {
  Team team(GetParam(), {.spin_us = 0});
  std::vector<std::size_t> wrong(GetParam(), 0);
  for (const TeamWaiting& waiting :
       {TeamWaiting{.spin_us = 0}, TeamWaiting{.spin_us = 1, .back_off = BackOff::kNo},
        TeamWaiting{.spin_us = 1, .back_off = BackOff::kYes}, TeamWaiting{.spin_us = 10'000}}) {
    team.set_waiting(waiting);
    std::vector<std::size_t> slots(GetParam(), 0);
    team.run([&](std::size_t worker) {
      for (std::size_t round = 1; round <= 200; ++round) {
        slots[worker] = round;
        team.barrier();
        if (slots[(worker + 1) % team.workers()] != round) ++wrong[worker];
        team.barrier();
      }
    });
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(GetParam(), 0));
}

TEST_P(TeamTest, ATeamThatNeverRanEnds) { const Team team(GetParam()); }

TEST_P(TeamTest, SubnormalsAreKeptInEveryWorkerAndTheCallersModeComesBack) {
#if defined(__x86_64__)
  const unsigned former = _mm_getcsr();
  _mm_setcsr(former | 1U << 15 | 1U << 6);  // flush to zero, subnormals are zero
  Team team(GetParam());                    // new threads inherit the mode
  std::vector<float> results(GetParam(), 0.0F);
  team.run([&](std::size_t worker) {
    volatile float smallest_normal = 0x1p-126F;
    results[worker] = smallest_normal * 0.5F;
  });
  const unsigned after = _mm_getcsr();
  _mm_setcsr(former);
  EXPECT_EQ(results, std::vector<float>(GetParam(), 0x1p-127F));
  EXPECT_EQ(after & (1U << 15 | 1U << 6), 1U << 15 | 1U << 6);
#else
  GTEST_SKIP() << "sets the mode of x86-64 only";
#endif
}

INSTANTIATE_TEST_SUITE_P(Sizes, TeamTest, ::testing::Values(1, 2, 3, 8));

TEST(TeamDeathTest, AnExceptionInAWorkerEndsTheProgramWithItsMessage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Team team(2);
        team.run([](std::size_t worker) {
          if (worker == 1) throw std::runtime_error("out of luck");
        });
      },
      "out of luck");
}

}  // namespace
}  // namespace cairn
