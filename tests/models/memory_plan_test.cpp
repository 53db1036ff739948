#include "models/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "models/decoder.h"
#include "tests/models/stub_device.h"
#include "tests/models/tiny_model.h"

namespace cairn::tests {
namespace {

using models::MemoryPlan;
using testing::AllOf;
using testing::HasSubstr;

TEST(MemoryPlanTest, CountsWhatLoadingKeeps) {
  StubDevice device;
  const OpenModel opened = open(tiny_gemma3({.embedding_rows = 128}));
  const Result<MemoryPlan> plan = models::plan_memory(
      *opened.file, device, {.positions = 100, .limits = {.rows_max = 8, .logits_rows_max = 1}});
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  const auto model = models::Model::load(*opened.file, device, {});
  ASSERT_TRUE(model.ok());
  EXPECT_GE(plan->packed_bytes, (*model)->info().packed_bytes);
  EXPECT_EQ(plan->page_bytes, 2U * 32 * 2 * 32 * 4);
  EXPECT_EQ(plan->cache_bytes, 4 * plan->page_bytes);
  const models::ScratchShape& shape = (*model)->scratch_shape();
  // Logits stand on the device and once more where the sampler reads them.
  EXPECT_EQ(plan->scratch_bytes,
            models::scratch_bytes(shape, {.rows_max = 8, .logits_rows_max = 1}) +
                shape.vocabulary * sizeof(float));
}

TEST(MemoryPlanTest, AModelTooBigIsRefusedWithTheNumbers) {
  const MemoryPlan plan{.packed_bytes = 3 << 20,
                        .page_bytes = 1 << 20,
                        .cache_bytes = 8 << 20,
                        .scratch_bytes = 1 << 20};
  EXPECT_TRUE(models::check_fits(plan, 12 << 20).ok());
  const Status status = models::check_fits(plan, 10 << 20);
  EXPECT_EQ(status.code(), StatusCode::kTooLarge);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("needs 12.6 MB"), HasSubstr("10.5 MB"),
                                      HasSubstr("up to 192 positions")));
}

TEST(MemoryPlanTest, RefusesAContextWhoseCacheLeaves64Bits) {
  StubDevice device;
  const OpenModel opened = open(tiny_llama());
  const auto plan = models::plan_memory(*opened.file, device,
                                        {.positions = std::numeric_limits<std::size_t>::max()});
  EXPECT_EQ(plan.status().code(), StatusCode::kTooLarge);
}

}  // namespace
}  // namespace cairn::tests
