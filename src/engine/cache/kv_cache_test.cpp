#include "engine/cache/kv_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/cache/sequence_pages.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kPage = kernels::kPagePositions;
constexpr CacheGroup kFull = {};
constexpr CacheGroup kLatent = {.kind = models::CacheKind::kLatent};
constexpr CacheGroup kRecurrent = {.kind = models::CacheKind::kRecurrent};
constexpr CacheGroup windowed(std::size_t window) { return {.window = window}; }

std::vector<TokenId> ascending(std::size_t count, TokenId first = 0) {
  std::vector<TokenId> ids(count);
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

/// A hash that knows nothing.
Sha256Digest constant_hash(const Sha256Digest&, PageIds) { return {}; }

class KvCacheTest : public testing::Test {
 protected:
  void start(std::vector<CacheGroup> groups, std::size_t pages, PageHash hash = &page_hash,
             std::size_t snapshot_tokens = 0) {
    cache_ = std::make_unique<KvCache>(
        KvCacheOptions{.groups = std::move(groups),
                       .pages = pages,
                       .identity = "test",
                       .events_max = 1000,
                       .snapshot_tokens = snapshot_tokens,
                       .copy_page =
                           [this](std::size_t group, std::uint32_t from, std::uint32_t to) {
                             copies_.push_back({group, from, to});
                           },
                       .hash = hash});
  }

  /// Computes `ids` in a sequence of its own, step by step.
  std::unique_ptr<SequencePages> computed(const std::vector<TokenId>& ids,
                                          const std::string& salt = "", std::size_t chunk = 20) {
    auto pages = std::make_unique<SequencePages>(*cache_, salt, 1024);
    compute(*pages, ids, chunk);
    return pages;
  }
  static void compute(SequencePages& pages, std::span<const TokenId> ids, std::size_t chunk = 20) {
    while (pages.ids().size() < ids.size()) {
      const std::span<const TokenId> rest = ids.subspan(pages.ids().size());
      const std::span<const TokenId> now = rest.first(std::min(chunk, rest.size()));
      ASSERT_TRUE(pages.reserve(pages.ids().size() + now.size()));
      pages.append(now);
    }
  }
  std::size_t matched(const std::vector<TokenId>& ids, const std::string& salt = "") {
    SequencePages pages(*cache_, salt, 1024);
    return pages.match(ids);
  }
  std::size_t free() const { return cache_->figures().free_pages; }
  std::size_t idle() const { return cache_->figures().idle_pages; }

  struct Copy {
    std::size_t group = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  std::vector<Copy> copies_;
  std::unique_ptr<KvCache> cache_;
};

TEST_F(KvCacheTest, TakesPagesAsASequenceGrowsAndNoneWhenTheyDoNotSuffice) {
  start({kFull}, 4);
  auto pages = computed(ascending(70));
  EXPECT_EQ(pages->block_table(0).size(), 3U);
  EXPECT_FALSE(pages->reserve(129)) << "it would need a fifth page";
  EXPECT_EQ(free(), 1U) << "and took none";
  pages.reset();
  EXPECT_EQ(free(), 2U) << "the page that was not full, and the one never taken";
  EXPECT_EQ(idle(), 2U);
  cache_->forget();
  EXPECT_EQ(free(), 4U);
}

TEST_F(KvCacheTest, SharesFullPagesWithASequenceThatBeginsAlikeUpToAllButTheLastId) {
  start({kFull}, 16);
  const auto first = computed(ascending(100));
  SequencePages second(*cache_, "", 1024);
  EXPECT_EQ(second.match(ascending(100)), 96U);
  for (std::size_t page = 0; page < 3; ++page) {
    EXPECT_EQ(second.block_table(0)[page], first->block_table(0)[page]);
  }
  EXPECT_EQ(matched(ascending(96)), 64U) << "the last id is computed, its logits are wanted";
  EXPECT_EQ(matched(ascending(97)), 96U);
  EXPECT_EQ(matched(ascending(32)), 0U);
  std::vector<TokenId> other = ascending(100);
  other[40] = 7;
  EXPECT_EQ(matched(other), 32U);
}

TEST_F(KvCacheTest, APageIsFoundAgainWhileIdleAndNotAfterItWasEvicted) {
  start({kFull}, 4);
  computed(ascending(64));
  EXPECT_EQ(matched(ascending(65)), 64U);
  computed(ascending(96, 1000));
  EXPECT_EQ(cache_->figures().evicted_pages, 1U);
  EXPECT_EQ(matched(ascending(65)), 32U) << "the tail of a prefix goes first";
  EXPECT_EQ(matched(ascending(97, 1000)), 96U);
}

TEST_F(KvCacheTest, SequencesOfDifferentSaltsShareNothing) {  // K12
  start({kFull}, 16);
  computed(ascending(64), "ab");
  EXPECT_EQ(matched(ascending(65), "ab"), 64U);
  EXPECT_EQ(matched(ascending(65), "a"), 0U);
  EXPECT_EQ(matched(ascending(65)), 0U);
}

TEST_F(KvCacheTest, EqualHashesOfDifferentPagesAreNoHits) {  // K13
  start({kFull}, 200, &constant_hash);
  for (TokenId prompt = 0; prompt < 20; ++prompt) computed(ascending(96, 1000 * prompt));
  // The same ids behind another prefix are another page.
  std::vector<TokenId> mixed = ascending(32, 1000);
  const std::vector<TokenId> tail = ascending(33, 2032);
  mixed.insert(mixed.end(), tail.begin(), tail.end());
  EXPECT_EQ(matched(mixed), 32U);
  for (TokenId prompt = 0; prompt < 20; ++prompt) {
    SequencePages pages(*cache_, "", 1024);
    EXPECT_EQ(pages.match(ascending(97, 1000 * prompt)), 96U);
    EXPECT_EQ(pages.block_table(0)[0], static_cast<std::uint32_t>(3 * prompt));
  }
}

TEST_F(KvCacheTest, AWindowGivesBackThePagesThatNoQueryCanLookBackTo) {
  start({kFull, windowed(40)}, 16);
  const auto pages = computed(ascending(200), "", 1);
  EXPECT_EQ(pages->block_table(0).size(), 7U);
  EXPECT_EQ(pages->block_table(0)[0], 0U);
  // The query at 200 looks at 161 to 200: page 5 and what follows.
  const auto table = pages->block_table(1);
  ASSERT_EQ(table.size(), 7U);
  for (std::size_t page = 0; page < 5; ++page) EXPECT_EQ(table[page], kNoPage);
  EXPECT_NE(table[5], kNoPage);
  EXPECT_NE(table[6], kNoPage);
}

TEST_F(KvCacheTest, AWindowKeepsExactlyThePagesOfItsPositionsAtEveryLength) {
  for (const std::size_t window : {1, 31, 32, 33, 64, 100}) {
    start({windowed(window)}, 64);
    SequencePages pages(*cache_, "", 1024);
    for (std::size_t at = 0; at < 300; ++at) {
      ASSERT_TRUE(pages.reserve(at + 1));
      const std::size_t first = at + 1 > window ? at + 1 - window : 0;
      for (std::size_t page = 0; page < pages.block_table(0).size(); ++page) {
        EXPECT_EQ(pages.block_table(0)[page] != kNoPage, page >= first / kPage)
            << "window " << window << " position " << at << " page " << page;
      }
      const TokenId id = 5;
      pages.append({&id, 1});
    }
  }
}

TEST_F(KvCacheTest, UnderAWindowAPrefixCountsOnlyIfWhatTheWindowNeedsIsThere) {
  start({kFull, windowed(64)}, 10);
  const std::vector<TokenId> ids = ascending(257);
  computed(std::vector<TokenId>(ids.begin(), ids.end() - 1));
  EXPECT_EQ(matched(ids), 256U);
  {
    SequencePages pages(*cache_, "", 1024);
    ASSERT_EQ(pages.match(ids), 256U);
    EXPECT_EQ(pages.block_table(1)[5], kNoPage);
    EXPECT_NE(pages.block_table(1)[6], kNoPage) << "193 to 256: pages 6 and 7";
  }
  // Eight pages in the full group are idle. Pages of the window group are evicted from the front,
  // where they were let go first.
  computed(ascending(96, 5000));
  const std::size_t hit = matched(ids);
  SequencePages pages(*cache_, "", 1024);
  EXPECT_EQ(pages.match(ids), hit);
  EXPECT_EQ(hit, 224U) << "the full group lost its last page";
}

TEST_F(KvCacheTest, APrefixWhoseWindowWasEvictedIsNoHitThoughTheFullGroupHasIt) {
  start({kFull, windowed(32)}, 8);
  const std::vector<TokenId> ids = ascending(97);
  computed(std::vector<TokenId>(ids.begin(), ids.end() - 1));
  // A sequence of the same first page and another continuation: the window group is used up.
  auto longer = computed(ascending(100, 7000));
  EXPECT_EQ(matched(ids), 96U);
  compute(*longer, ascending(230, 7000));
  EXPECT_LT(matched(ids), 96U);
  SequencePages pages(*cache_, "", 1024);
  const std::size_t hit = pages.match(ids);
  for (std::size_t slot = hit > 31 ? hit - 31 : 0; slot < hit; ++slot) {
    EXPECT_NE(pages.block_table(1)[slot / kPage], kNoPage);
  }
}

TEST_F(KvCacheTest, ForkedSequencesShareAllPagesAndCopyTheOneTheyBothWrite) {
  start({kFull, kLatent}, 16);
  const auto first = computed(ascending(40));
  SequencePages second(*cache_, "", 1024);
  second.fork(*first);
  EXPECT_EQ(free(), 2U * 14);
  ASSERT_TRUE(second.reserve(41));
  ASSERT_EQ(copies_.size(), 2U) << "the last page of each group";
  EXPECT_EQ(copies_[0].from, first->block_table(0)[1]);
  EXPECT_EQ(copies_[0].to, second.block_table(0)[1]);
  EXPECT_EQ(second.block_table(0)[0], first->block_table(0)[0]);
  ASSERT_TRUE(first->reserve(41));
  EXPECT_EQ(copies_.size(), 2U) << "the first is the only owner now";
}

TEST_F(KvCacheTest, PagesBehindTheLastComputedPositionCanBeGivenBack) {
  start({kFull, windowed(40), kRecurrent}, 10);
  const auto pages = computed(ascending(60));
  const std::size_t before = free();
  ASSERT_TRUE(pages->reserve(130));
  EXPECT_LT(free(), before);
  pages->trim();
  EXPECT_EQ(free(), before);
  pages->trim();
  EXPECT_EQ(free(), before);
  compute(*pages, ascending(130));
  EXPECT_EQ(pages->ids().size(), 130U);
}

TEST_F(KvCacheTest, AForkAtAPageBoundaryCopiesNothing) {
  start({kFull}, 16);
  const auto first = computed(ascending(64));
  SequencePages second(*cache_, "", 1024);
  second.fork(*first);
  ASSERT_TRUE(second.reserve(65));
  EXPECT_TRUE(copies_.empty());
}

TEST_F(KvCacheTest, ARecurrentStateIsOnePageThatIsCopiedForAFork) {
  start({kFull, kRecurrent}, 16);
  const auto first = computed(ascending(100));
  EXPECT_EQ(first->block_table(1).size(), 1U);
  EXPECT_EQ(matched(ascending(100)), 0U) << "the state at position 96 is gone";
  SequencePages second(*cache_, "", 1024);
  second.fork(*first);
  ASSERT_TRUE(second.reserve(101));
  EXPECT_EQ(copies_.size(), 2U);
  EXPECT_NE(second.block_table(1)[0], first->block_table(1)[0]);
}

TEST_F(KvCacheTest, APrefixOfARecurrentStateIsFoundOnlyWhereASnapshotStands) {
  start({kFull, kRecurrent}, 16, &page_hash, 64);
  const auto first = computed(ascending(200), "", 32);
  ASSERT_EQ(copies_.size(), 3U) << "at 64, 128 and 192";
  EXPECT_EQ(copies_[0].group, 1U);
  EXPECT_EQ(copies_[0].from, first->block_table(1)[0]);
  EXPECT_EQ(matched(ascending(200)), 192U);
  EXPECT_EQ(matched(ascending(190)), 128U) << "160 has no snapshot";
  EXPECT_EQ(matched(ascending(64)), 0U) << "the last id is computed";
  computed(ascending(200, 5000), "", 50);
  EXPECT_EQ(matched(ascending(200, 5000)), 0U) << "no chunk ended where one is kept";
}

TEST_F(KvCacheTest, ASnapshotIsCopiedBeforeItIsWritten) {
  start({kFull, kRecurrent}, 16, &page_hash, 64);
  computed(ascending(70), "", 32);
  const std::uint32_t snapshot = copies_[0].to;
  copies_.clear();
  SequencePages second(*cache_, "", 1024);
  ASSERT_EQ(second.match(ascending(70)), 64U);
  EXPECT_EQ(second.block_table(1)[0], snapshot);
  ASSERT_TRUE(second.reserve(70));
  ASSERT_EQ(copies_.size(), 1U);
  EXPECT_EQ(copies_[0].from, snapshot);
  EXPECT_EQ(copies_[0].to, second.block_table(1)[0]);
  EXPECT_EQ(matched(ascending(70)), 64U) << "a third one finds it too";
  ASSERT_TRUE(second.reserve(70));
  EXPECT_EQ(copies_.size(), 1U);
}

TEST_F(KvCacheTest, APromptsLastWholePageHasASnapshot) {
  start({kFull, kRecurrent}, 16, &page_hash, 512);
  SequencePages first(*cache_, "", 1024);
  const std::vector<TokenId> ids = ascending(101);
  ASSERT_EQ(first.match(ids), 0U);
  compute(first, ids, 32);
  EXPECT_EQ(matched(ids), 96U);
  EXPECT_EQ(copies_.size(), 1U);
}

TEST_F(KvCacheTest, SnapshotsTakeTheRoomThatSequencesLeaveAndTheOldestGoFirst) {
  start({kRecurrent}, 4, &page_hash, 32);
  const auto running = computed(ascending(33, 9000), "", 32);
  EXPECT_EQ(matched(ascending(33, 9000)), 32U);
  computed(ascending(65), "", 32);  // a state and two snapshots beside a state and a snapshot
  EXPECT_EQ(matched(ascending(33, 9000)), 0U);
  EXPECT_EQ(matched(ascending(65)), 64U);
  EXPECT_EQ(free(), 1U);
  const auto second = computed(ascending(5, 7000));
  const auto third = computed(ascending(5, 8000));
  EXPECT_EQ(matched(ascending(33)), 0U) << "sequences go before snapshots";
  EXPECT_EQ(matched(ascending(65)), 64U);
}

TEST_F(KvCacheTest, EventsTellWhatCanBeFoundFromWhenToWhen) {
  start({kFull}, 2);
  computed(ascending(64));
  std::vector<CacheEvent> events = cache_->events().take();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].kind, CacheEvent::Kind::kStored);
  EXPECT_EQ(events[1].parent, events[0].hash);
  EXPECT_TRUE(cache_->events().take().empty());
  computed(ascending(10, 100));
  const std::vector<CacheEvent> removed = cache_->events().take();
  ASSERT_EQ(removed.size(), 1U);
  EXPECT_EQ(removed[0].kind, CacheEvent::Kind::kRemoved);
  EXPECT_EQ(removed[0].hash, events[1].hash);
}

TEST(CacheEventsTest, KeepsTheNewestAndCountsTheOthers) {
  CacheEvents events(2);
  for (std::size_t group = 0; group < 5; ++group) events.add({.group = group});
  EXPECT_EQ(events.lost(), 3U);
  const std::vector<CacheEvent> taken = events.take();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].group, 3U);
}

TEST(CacheGroupsTest, SlotsThatKeepTheSamePositionsAreOneGroup) {
  const models::CacheSpec full = {.layout = {.kv_heads = 2, .head_dim = 64}};
  const models::CacheSpec wide = {.layout = {.kv_heads = 4, .head_dim = 64}};
  const models::CacheSpec near = {.layout = full.layout, .window = 512};
  const models::CacheSpec latent = {.layout = {}, .kind = models::CacheKind::kLatent};
  const models::CacheSpec slots[] = {near, near, full, near, wide, latent};
  const CacheGroups groups = groups_of(slots);
  EXPECT_EQ(groups.groups, (std::vector<CacheGroup>{windowed(512), kFull, kLatent}));
  EXPECT_EQ(groups.group_of_slot, (std::vector<std::size_t>{0, 0, 1, 0, 1, 2}));
}

}  // namespace
}  // namespace cairn::engine
