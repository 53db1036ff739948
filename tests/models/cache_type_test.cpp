// A cache type is known to the memory plan and to the key of shared pages.
#include <gtest/gtest.h>

#include "engine/model_forwarder.h"
#include "kernels/cpu/cpu_device.h"
#include "models/memory_plan.h"
#include "tests/models/tiny_model.h"

namespace cairn::tests {
namespace {

std::unique_ptr<kernels::Device> cpu(kernels::CacheType type) {
  return kernels::CpuDevice::create({.threads = 1, .cache_type = type}).value();
}

TEST(CacheTypeTest, ThePlanCountsThePagesOfTheType) {
  const OpenModel opened = open(tiny_llama());
  const auto page_bytes = [&](kernels::CacheType type) {
    return models::plan_memory(*opened.file, *cpu(type), {.pages = 2}).value().page_bytes;
  };
  // Two layers of two kv heads of 32 dimensions: keys and values of 32 positions.
  EXPECT_EQ(page_bytes(kernels::CacheType::kBf16), 2U * 2 * 2 * 32 * 32 * 2);
  EXPECT_EQ(page_bytes(kernels::CacheType::kInt8), 2U * 2 * 2 * 32 * (32 + 4));
}

TEST(CacheTypeTest, PagesOfAnotherTypeHaveAnotherIdentity) {
  const OpenModel opened = open(tiny_llama());
  const auto identity = [&](kernels::CacheType type) {
    const auto device = cpu(type);
    const auto model = models::Model::load(*opened.file, *device, {}).value();
    return engine::ModelForwarder::create(*model, *device, {.pages = 1, .rows_max = 1})
        .value()
        ->cache_identity();
  };
  EXPECT_EQ(identity(kernels::CacheType::kInt8), identity(kernels::CacheType::kInt8));
  EXPECT_NE(identity(kernels::CacheType::kInt8), identity(kernels::CacheType::kBf16));
}

}  // namespace
}  // namespace cairn::tests
