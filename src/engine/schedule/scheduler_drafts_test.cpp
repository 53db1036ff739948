// Rows for guessed ids in the scheduler's plans.
#include <gtest/gtest.h>

#include <map>

#include "engine/schedule/scheduler.h"

namespace cairn::engine {
namespace {

/// Pages of 32 ids; every request guesses as many ids as it may, up to `wish`.
class GuessingPages final : public SchedulePages {
 public:
  std::optional<std::size_t> admit(RequestId id) override {
    if (!grow(id, length)) return std::nullopt;
    return 0;
  }
  bool grow(RequestId id, std::size_t ids) override {
    const std::size_t wanted = (ids + 31) / 32;
    std::size_t& owned = owned_[id];
    if (wanted > owned + free) return false;
    free -= wanted - std::min(owned, wanted);
    owned = std::max(owned, wanted);
    return true;
  }
  std::size_t draft(RequestId, const DraftRoom& room) override {
    rooms.push_back(room);
    return std::min(wish, room.tokens);
  }
  void drop(RequestId id) override {
    free += owned_[id];
    owned_.erase(id);
  }

  std::size_t free = 100;
  std::size_t length = 10;  // of every prompt
  std::size_t wish = 100;
  std::vector<DraftRoom> rooms;

 private:
  std::map<RequestId, std::size_t> owned_;
};

class DraftsTest : public testing::Test {
 protected:
  /// `count` requests whose prompts are computed.
  void start(const ScheduleLimits& limits, std::size_t count) {
    scheduler_ = std::make_unique<Scheduler>(limits, pages_);
    for (RequestId id = 1; id <= count; ++id) {
      ASSERT_TRUE(scheduler_->submit({.id = id, .length = pages_.length}, 0).ok());
    }
    (void)scheduler_->plan(0);
    EXPECT_TRUE(pages_.rooms.empty()) << "prompts guess nothing";
    scheduler_->computed(0.01);
    for (RequestId id = 1; id <= count; ++id) scheduler_->sampled(id);
  }

  GuessingPages pages_;
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(DraftsTest, AnswersShareTheGuessesOfAStep) {
  start({.rows_max = 64, .sequences_max = 3, .drafts_max = 7}, 3);
  const Plan& plan = scheduler_->plan(1);
  ASSERT_EQ(plan.chunks.size(), 3U);
  EXPECT_EQ(plan.chunks[0], (Chunk{.id = 1, .rows = 4, .last = true, .drafts = 3}));
  EXPECT_EQ(plan.chunks[1], (Chunk{.id = 2, .rows = 3, .last = true, .drafts = 2}));
  EXPECT_EQ(plan.chunks[2], (Chunk{.id = 3, .rows = 3, .last = true, .drafts = 2}));
  EXPECT_EQ(plan.decode_rows, 10U);
  EXPECT_EQ(pages_.rooms[1].rows, 6U) << "the rows of the guesses before";
}

TEST_F(DraftsTest, TheRowsOfAStepBoundThem) {
  start({.rows_max = 12, .sequences_max = 1, .drafts_max = 16}, 1);
  EXPECT_EQ(scheduler_->plan(1).decode_rows, 12U);
}

TEST_F(DraftsTest, RightGuessesAreComputedAndWrongOnesAreNot) {
  start({.rows_max = 64, .sequences_max = 1, .drafts_max = 4}, 1);
  EXPECT_EQ(scheduler_->plan(1).chunks[0].rows, 5U);
  scheduler_->computed(0.01);
  scheduler_->sampled(1, 3);  // two guesses were right
  const Plan& plan = scheduler_->plan(2);
  ASSERT_EQ(plan.chunks.size(), 1U);
  EXPECT_EQ(plan.chunks[0].rows, 5U) << "one newest id is not computed, and four guesses";
  EXPECT_TRUE(plan.chunks[0].last);
}

TEST_F(DraftsTest, NobodyIsPreemptedForAGuess) {
  pages_.length = 31;
  pages_.free = 2;
  start({.rows_max = 64, .sequences_max = 2, .drafts_max = 8}, 2);
  const Plan& plan = scheduler_->plan(1);
  EXPECT_TRUE(plan.preempted.empty());
  EXPECT_EQ(plan.decode_rows, 2U) << "both pages are full with the newest ids";
}

TEST_F(DraftsTest, WhileAPromptIsComputedNothingIsGuessed) {
  start({.rows_max = 16, .sequences_max = 2, .drafts_max = 4}, 1);
  pages_.length = 100;
  ASSERT_TRUE(scheduler_->submit({.id = 2, .length = 100}, 1).ok());
  pages_.wish = 0;
  (void)scheduler_->plan(1);
  scheduler_->computed(0.01);
  scheduler_->sampled(1);
  pages_.wish = 4;
  pages_.rooms.clear();
  const Plan& plan = scheduler_->plan(2);
  EXPECT_TRUE(pages_.rooms.empty());
  EXPECT_EQ(plan.decode_rows, 1U);
  EXPECT_GT(plan.prompt_rows, 0U);
}

}  // namespace
}  // namespace cairn::engine
