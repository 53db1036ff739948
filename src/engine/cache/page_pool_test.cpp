#include "engine/cache/page_pool.h"

#include <gtest/gtest.h>

namespace cairn::engine {
namespace {

using Keep = PagePool::Keep;

std::optional<std::uint32_t> page_of(const std::optional<PagePool::Taken>& taken) {
  return taken ? std::optional(taken->page) : std::nullopt;
}

TEST(PagePoolTest, GivesTheLowestFreePageAndNoneWhenAllAreTaken) {
  PagePool pool(3);
  EXPECT_EQ(page_of(pool.take()), 0U);
  EXPECT_EQ(page_of(pool.take()), 1U);
  EXPECT_EQ(page_of(pool.take()), 2U);
  EXPECT_EQ(page_of(pool.take()), std::nullopt);
  pool.release(2, Keep::kNo);
  pool.release(0, Keep::kNo);
  EXPECT_EQ(page_of(pool.take()), 0U);
  EXPECT_EQ(pool.free(), 1U);
}

TEST(PagePoolTest, APageWithTwoOwnersIsFreeAfterBothLetGo) {
  PagePool pool(1);
  ASSERT_EQ(page_of(pool.take()), 0U);
  pool.share(0);
  pool.release(0, Keep::kNo);
  EXPECT_EQ(pool.free(), 0U);
  pool.release(0, Keep::kNo);
  EXPECT_EQ(pool.free(), 1U);
}

TEST(PagePoolTest, EvictsTheIdlePageThatWasLetGoLongestAgoAndOnlyWhenNoneIsFree) {
  PagePool pool(4);
  for (std::uint32_t page = 0; page < 4; ++page) ASSERT_EQ(page_of(pool.take()), page);
  pool.release(2, Keep::kYes);
  pool.release(0, Keep::kYes);
  pool.release(3, Keep::kYes);
  pool.release(1, Keep::kNo);
  EXPECT_EQ(pool.available(), 4U);
  EXPECT_EQ(page_of(pool.take()), 1U);
  pool.share(2);  // used again: it is no longer the oldest
  pool.release(2, Keep::kYes);
  const auto oldest = pool.take();
  ASSERT_TRUE(oldest);
  EXPECT_EQ(oldest->page, 0U);
  EXPECT_TRUE(oldest->evicted);
  EXPECT_EQ(page_of(pool.take()), 3U);
  EXPECT_EQ(pool.drop_idle(), 2U);
  EXPECT_EQ(pool.drop_idle(), std::nullopt);
  EXPECT_EQ(pool.free(), 1U);
}

}  // namespace
}  // namespace cairn::engine
