// How many pages, positions and requests a model gets: exact numbers, and refusals that help.
#include "runtime/sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <optional>
#include <string>

#include "tests/models/stub_device.h"
#include "tests/models/tiny_model.h"

namespace cairn::runtime {
namespace {

using models::CacheKind;
using testing::HasSubstr;
using testing::Not;

/// A slot of `kind` whose page takes `page_bytes`.
models::CachePlan slot(CacheKind kind, std::size_t window, std::uint64_t page_bytes) {
  return {.spec = {.window = window, .kind = kind}, .page_bytes = page_bytes};
}

TEST(GroupPlanTest, EveryKindOfCacheHasItsExactPagesAndBytes) {
  const std::vector<models::CachePlan> slots = {
      slot(CacheKind::kKeysValues, 0, 4096),  slot(CacheKind::kKeysValues, 100, 4096),
      slot(CacheKind::kKeysValues, 0, 2048),  slot(CacheKind::kLatent, 0, 1000),
      slot(CacheKind::kRecurrent, 0, 50'000), slot(CacheKind::kKeysValues, 100, 64)};
  const std::vector<GroupPlan> groups = plan_groups(slots, 1000);
  ASSERT_EQ(groups.size(), 4U);
  // Full: ceil(1000 / 32) pages in both of its layers.
  EXPECT_EQ(groups[0].slots, 2U);
  EXPECT_EQ(groups[0].page_bytes, 6144U);
  EXPECT_EQ(groups[0].request_pages, 32U);
  EXPECT_EQ(groups[0].retained_pages, 32U);
  // A window of 100: the newest query, at 999, looks back to 900, which is on page 28.
  EXPECT_EQ(groups[1].page_bytes, 4160U);
  EXPECT_EQ(groups[1].request_pages, 32U);
  EXPECT_EQ(groups[1].retained_pages, 4U);
  EXPECT_EQ(groups[2].group.kind, CacheKind::kLatent);
  EXPECT_EQ(groups[2].request_pages, 32U);
  // A recurrent state is one page, however long the sequence is.
  EXPECT_EQ(groups[3].page_bytes, 50'000U);
  EXPECT_EQ(groups[3].request_pages, 1U);
  EXPECT_EQ(groups[3].retained_pages, 1U);
  const Sizes sizes{.groups = groups};
  EXPECT_EQ(sizes.request_pages(), 32U);
  EXPECT_EQ(sizes.request_bytes(), 32U * (6144 + 4160 + 1000) + 50'000);
}

TEST(GroupPlanTest, AModelOfStatesAloneNeedsOnePageARequest) {
  const Sizes sizes{.groups = plan_groups({slot(CacheKind::kRecurrent, 0, 500)}, 100'000)};
  EXPECT_EQ(sizes.request_pages(), 1U);
  EXPECT_EQ(sizes.request_bytes(), 500U);
}

class SizesTest : public testing::Test {
 protected:
  Result<Sizes> choose(SizeWish wish) const {
    if (wish.step_rows == 0) wish.step_rows = 32;
    if (wish.available_bytes == 0) wish.available_bytes = std::uint64_t{1} << 40;
    return choose_sizes(*opened_.file, device_, wish);
  }
  static std::uint64_t fixed(const Sizes& sizes) { return sizes.total() - sizes.model.cache_bytes; }

  tests::StubDevice device_;
  tests::OpenModel opened_ = tests::open(tests::tiny_llama());  // trained for 512 positions
};

TEST_F(SizesTest, BytesGiveTheWholePagesThatFitIntoThem) {
  const std::uint64_t page = choose({.context = 64})->model.page_bytes;
  for (const std::size_t pages : {2, 3, 17}) {
    EXPECT_EQ(choose({.context = 64, .cache_bytes = pages * page})->pages, pages);
    EXPECT_EQ(choose({.context = 64, .cache_bytes = pages * page + page - 1})->pages, pages);
  }
  const auto sizes = choose({.context = 64, .cache_bytes = 9 * page, .pages = 5});
  ASSERT_TRUE(sizes.ok()) << sizes.status().message();
  EXPECT_EQ(sizes->pages, 5U) << "a number of pages wins over bytes";
  EXPECT_EQ(sizes->model.cache_bytes, 5 * page);
}

TEST_F(SizesTest, TheContextFollowsThePagesThatWereAskedFor) {
  EXPECT_EQ(choose({.pages = 3})->context, 96U);
  EXPECT_EQ(choose({.pages = 100})->context, 512U) << "the model's length is the most";
  const auto sizes = choose({});
  EXPECT_EQ(sizes->context, 512U);
  EXPECT_EQ(sizes->context_reason, "the model's length");
}

TEST_F(SizesTest, UnaskedTheCacheHoldsEverySequenceAtItsWholeLength) {
  EXPECT_EQ(choose({.context = 65})->pages, 3U);
  EXPECT_EQ(choose({.context = 65, .sequences = 4})->pages, 12U);
}

TEST_F(SizesTest, OrWhatRemainsBesideEverythingElseAndTheReserve) {
  const Sizes much = *choose({.context = 64, .sequences = 20});
  const std::uint64_t page = much.model.page_bytes;
  for (const std::uint64_t more : {2 * page, 3 * page - 8, 3 * page, 9 * page + 11}) {
    const std::uint64_t available = (fixed(much) + more) * 8 / 7 + 1;
    const auto sizes = choose({.context = 64, .sequences = 20, .available_bytes = available});
    ASSERT_TRUE(sizes.ok()) << sizes.status().message();
    EXPECT_EQ(sizes->reserve_bytes, available / 8);
    EXPECT_EQ(sizes->pages, (available - available / 8 - fixed(*sizes)) / page);
    EXPECT_EQ(sizes->pages, sizes->pages_max);
    EXPECT_EQ(sizes->pages_reason, "what remains of the available memory");
  }
}

TEST_F(SizesTest, ASmallContainerGetsASmallCache) {  // K18
  const Sizes much = *choose({.context = 64, .sequences = 1000});
  std::size_t pages = 0;
  for (const std::uint64_t eighths : {2, 4, 6, 8}) {
    const std::uint64_t available = (fixed(much) + much.model.cache_bytes / 8 * eighths) * 8 / 7;
    const auto sizes = choose({.context = 64, .sequences = 1000, .available_bytes = available});
    ASSERT_TRUE(sizes.ok()) << sizes.status().message();
    EXPECT_LE(sizes->total() + sizes->reserve_bytes, available);
    EXPECT_GT(sizes->pages, pages) << "more memory, more pages";
    pages = sizes->pages;
  }
}

TEST_F(SizesTest, TheContextShrinksToWhatMemoryFits) {
  const Sizes much = *choose({});
  const std::uint64_t available = (fixed(much) + 5 * much.model.page_bytes) * 8 / 7 + 1;
  const auto sizes = choose({.available_bytes = available});
  ASSERT_TRUE(sizes.ok()) << sizes.status().message();
  EXPECT_EQ(sizes->context, 160U);
  EXPECT_THAT(sizes->context_reason, HasSubstr("what memory fits; the model's length is 512"));
}

TEST_F(SizesTest, PagesThatCannotHoldTheContextAreRefusedWithSettingsThatDo) {
  const std::uint64_t page = choose({})->model.page_bytes;
  const Status status = choose({.context = 100, .cache_bytes = 3 * page}).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("--num-blocks 4"));
  EXPECT_THAT(status.message(), HasSubstr("--kv-cache-memory " + std::to_string(4 * page)));
  EXPECT_THAT(status.message(), HasSubstr("--ctx 96"));
  EXPECT_TRUE(choose({.context = 100, .pages = 4}).ok());
  EXPECT_TRUE(choose({.context = 100, .cache_bytes = 4 * page}).ok());
  EXPECT_TRUE(choose({.context = 96, .cache_bytes = 3 * page}).ok());
  EXPECT_THAT(choose({.cache_bytes = 1}).status().message(), HasSubstr("gives 0 pages"));
}

/// The number behind `flag` in `text`.
std::optional<std::size_t> number_of(const std::string& text, const std::string& flag) {
  const std::size_t at = text.find(flag + " ");
  if (at == std::string::npos) return std::nullopt;
  std::size_t number = 0;
  std::from_chars(text.data() + at + flag.size() + 1, text.data() + text.size(), number);
  return number;
}

TEST_F(SizesTest, WhatCannotFitIsRefusedWithSettingsThatDoFit) {
  const Sizes small = *choose({.context = 64});
  for (const SizeWish& wish :
       {SizeWish{.context = 4096}, SizeWish{.context = 64, .sequences = 2000, .step_rows = 2000},
        SizeWish{.context = 64, .pages = 100'000}}) {
    SizeWish asked = wish;
    asked.available_bytes = small.total() + 10 * small.model.page_bytes;
    const Status status = choose(asked).status();
    ASSERT_EQ(status.code(), StatusCode::kTooLarge) << status.message();
    EXPECT_THAT(status.message(), HasSubstr("weights "));
    const std::size_t found = status.message().find("these settings fit: ");
    ASSERT_NE(found, std::string::npos) << status.message();
    const std::string settings = status.message().substr(found);
    const SizeWish better{
        .context = number_of(settings, "--ctx").value_or(0),
        .sequences = number_of(settings, "--max-num-seqs").value_or(wish.sequences),
        .step_rows = number_of(settings, "--step-rows").value_or(wish.step_rows),
        .pages = number_of(settings, "--num-blocks"),
        .available_bytes = asked.available_bytes};
    const auto again = choose(better);
    EXPECT_TRUE(again.ok()) << settings << "\n" << again.status().message();
  }
}

TEST_F(SizesTest, WeightsThatFillTheMemoryAreRefusedWithoutAdvice) {
  const Status status = choose({.available_bytes = 1000}).status();
  EXPECT_EQ(status.code(), StatusCode::kTooLarge);
  EXPECT_THAT(status.message(), HasSubstr("no settings make it fit"));
  EXPECT_THAT(status.message(), Not(HasSubstr("--ctx")));
}

TEST_F(SizesTest, AContextPastTheModelsLengthIsAWarning) {
  EXPECT_THAT(choose({.context = 1000})->warning, HasSubstr("1000"));
  EXPECT_EQ(choose({.context = 512})->warning, "");
}

}  // namespace
}  // namespace cairn::runtime
