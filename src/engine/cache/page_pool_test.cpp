#include "engine/cache/page_pool.h"

#include <gtest/gtest.h>

#include <numeric>

#include "engine/cache/sequence_pages.h"

namespace cairn::engine {
namespace {

TEST(PagePoolTest, GivesTheLowestFreePageAndNoneWhenAllAreTaken) {
  PagePool pool(3);
  EXPECT_EQ(pool.take(), 0U);
  EXPECT_EQ(pool.take(), 1U);
  EXPECT_EQ(pool.take(), 2U);
  EXPECT_EQ(pool.take(), std::nullopt);
  pool.release(2);
  pool.release(0);
  EXPECT_EQ(pool.take(), 0U);
  EXPECT_EQ(pool.free(), 1U);
}

TEST(PagePoolTest, APageWithTwoOwnersIsFreeAfterBothLetGo) {
  PagePool pool(1);
  ASSERT_EQ(pool.take(), 0U);
  pool.share(0);
  pool.release(0);
  EXPECT_EQ(pool.free(), 0U);
  pool.release(0);
  EXPECT_EQ(pool.free(), 1U);
}

TEST(SequencePagesTest, TakesPagesAsItGrowsAndGivesBackWhatItNoLongerTouches) {
  PagePool pool(4);
  std::vector<TokenId> ids(70);
  std::iota(ids.begin(), ids.end(), 0);
  {
    SequencePages pages(pool, 128);
    ASSERT_TRUE(pages.reserve(70));
    pages.append(ids);
    EXPECT_EQ(pages.block_table().size(), 3U);
    EXPECT_FALSE(pages.reserve(129)) << "it would need a fifth page";
    EXPECT_EQ(pool.free(), 1U) << "and took none";
    pages.shorten(64);
    EXPECT_EQ(pages.block_table().size(), 2U);
    EXPECT_EQ(pages.ids().size(), 64U);
    const SequencePages moved(std::move(pages));
    EXPECT_EQ(moved.ids()[63], 63);
    EXPECT_EQ(pool.free(), 2U);
  }
  EXPECT_EQ(pool.free(), 4U);
}

}  // namespace
}  // namespace cairn::engine
