#include "models/memory_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "models/decoder.h"
#include "tests/models/stub_device.h"
#include "tests/models/tiny_model.h"

namespace cairn::tests {
namespace {

using models::MemoryPlan;

/// A plan of `pages` pages for steps of 8 rows.
Result<MemoryPlan> plan_of(const OpenModel& opened, const StubDevice& device, std::size_t pages) {
  return models::plan_memory(*opened.file, device,
                             {.pages = pages, .limits = {.rows_max = 8, .logits_rows_max = 1}});
}

TEST(MemoryPlanTest, CountsWhatLoadingKeeps) {
  StubDevice device;
  const OpenModel opened = open(tiny_gemma3({.embedding_rows = 128}));
  const Result<MemoryPlan> plan = plan_of(opened, device, 4);
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  const auto model = models::Model::load(*opened.file, device, {});
  ASSERT_TRUE(model.ok());
  EXPECT_GE(plan->packed_bytes, (*model)->info().packed_bytes);
  EXPECT_EQ(plan->file_weight_bytes, (*model)->info().weight_bytes);
  EXPECT_EQ(plan->page_bytes, 2U * 32 * 2 * 32 * 4);
  ASSERT_EQ(plan->caches.size(), 2U);
  EXPECT_EQ(plan->caches[0].page_bytes + plan->caches[1].page_bytes, plan->page_bytes);
  EXPECT_EQ(plan->cache_bytes, 4 * plan->page_bytes);
  EXPECT_EQ(plan->total(),
            plan->packed_bytes + plan->cache_bytes + plan->scratch_bytes + plan->logits_bytes);
}

TEST(MemoryPlanTest, CountsTheScratchThatIsAllocatedAndLogitsTwice) {
  StubDevice device;
  const OpenModel opened = open(tiny_llama());
  const Result<MemoryPlan> plan = plan_of(opened, device, 1);
  const auto model = models::Model::load(*opened.file, device, {});
  ASSERT_TRUE(plan.ok() && model.ok());
  const models::ScratchShape& shape = (*model)->scratch_shape();
  const std::size_t before = device.allocated;
  const auto scratch =
      models::Scratch::create(device, shape, {.rows_max = 8, .logits_rows_max = 1});
  ASSERT_TRUE(scratch.ok());
  // The logits stand on the device, and once more where the sampler reads them.
  const std::size_t logits = shape.vocabulary * sizeof(float);
  EXPECT_EQ(plan->logits_bytes, 2 * logits);
  EXPECT_EQ(plan->scratch_bytes + logits, device.allocated - before);
}

TEST(MemoryPlanTest, KnowsTheMostThatStandsThereWhileLoading) {
  const StubDevice device;  // it packs nothing smaller: the last matrix stands there twice
  const OpenModel opened = open(tiny_llama());
  const Result<MemoryPlan> plan = plan_of(opened, device, 1);
  ASSERT_TRUE(plan.ok());
  EXPECT_GT(plan->loading_bytes, plan->packed_bytes);
  EXPECT_LE(plan->loading_bytes, plan->packed_bytes + plan->file_weight_bytes);
  EXPECT_EQ(plan->peak(), std::max(plan->total(), plan->loading_bytes));
}

TEST(MemoryPlanTest, PagesAreTheWholeOnesThatFit) {
  const MemoryPlan plan{.page_bytes = 1000};
  EXPECT_EQ(models::pages_in(plan, 999), 0U);
  EXPECT_EQ(models::pages_in(plan, 1000), 1U);
  EXPECT_EQ(models::pages_in(plan, 3999), 3U);
  EXPECT_EQ(models::pages_in({}, 1000), 0U);
}

TEST(MemoryPlanTest, RefusesACacheThatLeaves64Bits) {
  const StubDevice device;
  const OpenModel opened = open(tiny_llama());
  for (const std::size_t pages :
       {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() / 16384}) {
    EXPECT_EQ(plan_of(opened, device, pages).status().code(), StatusCode::kTooLarge) << pages;
  }
}

}  // namespace
}  // namespace cairn::tests
