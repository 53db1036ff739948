// Rows of logits in the scheduler's plans: prompts that are told token by token want many.
#include <gtest/gtest.h>

#include "engine/schedule/scheduler.h"

namespace cairn::engine {
namespace {

/// Pages without end.
class EndlessPages final : public SchedulePages {
 public:
  std::optional<std::size_t> admit(RequestId) override { return found; }
  bool grow(RequestId, std::size_t) override { return grows; }
  void drop(RequestId) override {}

  std::size_t found = 0;
  bool grows = true;
};

class LogitsTest : public testing::Test {
 protected:
  void submit(RequestId id, std::size_t length, std::size_t logits_to = 0) {
    ASSERT_TRUE(scheduler_.submit({.id = id, .length = length, .logits_to = logits_to}, 0).ok());
  }
  std::vector<Chunk> step() {
    std::vector<Chunk> chunks = scheduler_.plan(0).chunks;
    scheduler_.computed(0.01);
    for (const Chunk& chunk : chunks) {
      if (chunk.last) scheduler_.sampled(chunk.id);
    }
    return chunks;
  }

  EndlessPages pages_;
  Scheduler scheduler_{{.rows_max = 400, .sequences_max = 8, .logits_max = 8}, pages_};
};

TEST_F(LogitsTest, APromptAloneTakesAllRowsOfLogitsAndTheOtherPositionsAreFree) {
  submit(1, 20, 19);
  EXPECT_EQ(step(), (std::vector<Chunk>{{.id = 1, .rows = 8}}));
  EXPECT_EQ(step(), (std::vector<Chunk>{{.id = 1, .rows = 8}}));
  EXPECT_EQ(step(), (std::vector<Chunk>{{.id = 1, .rows = 4, .last = true}}));
  EXPECT_EQ(step(), (std::vector<Chunk>{{.id = 1, .rows = 1, .last = true}}));
}

TEST_F(LogitsTest, EveryPromptThatMayEndInTheStepHasItsRow) {
  submit(1, 20, 19);
  submit(2, 30);
  submit(3, 6, 5);
  const std::vector<Chunk> chunks = step();
  EXPECT_EQ(chunks,
            (std::vector<Chunk>{
                {.id = 1, .rows = 6}, {.id = 2, .rows = 30, .last = true}, {.id = 3, .rows = 1}}));
  EXPECT_EQ(step(),
            (std::vector<Chunk>{
                {.id = 2, .rows = 1, .last = true}, {.id = 1, .rows = 6}, {.id = 3, .rows = 1}}));
}

TEST_F(LogitsTest, PositionsThatWereReadBeforeAPreemptionTakeNone) {
  submit(1, 3);
  submit(2, 20, 19);
  EXPECT_EQ(step(), (std::vector<Chunk>{{.id = 1, .rows = 3, .last = true}, {.id = 2, .rows = 7}}));
  EXPECT_EQ(step(), (std::vector<Chunk>{{.id = 1, .rows = 1, .last = true}, {.id = 2, .rows = 7}}));
  pages_.grows = false;
  EXPECT_EQ(step(), (std::vector<Chunk>())) << "both lose their pages";
  pages_.grows = true;
  pages_.found = 2;
  scheduler_.finished(1, 0);
  EXPECT_EQ(step(), (std::vector<Chunk>{{.id = 2, .rows = 18, .last = true}}))
      << "2 of its 20 positions are found, 12 are computed again, 5 are read, the last is sampled";
}

TEST_F(LogitsTest, WhatSuchStepsCostIsNoMeasureOfOthers) {
  submit(1, 20, 19);
  (void)step();
  EXPECT_FALSE(scheduler_.costs().prompt_row_s().has_value());
  submit(2, 3);
  while (!step().empty() && !scheduler_.costs().decode_s(1).has_value()) {
  }
  EXPECT_FALSE(scheduler_.costs().prompt_row_s().has_value()) << "2 was computed beside 1";
}

}  // namespace
}  // namespace cairn::engine
