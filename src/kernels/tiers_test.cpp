#include "kernels/tiers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cpu/cpu_features.h"
#include "kernels/devices.h"

namespace cairn::kernels {
namespace {

using testing::HasSubstr;

TEST(TiersTest, GivesTheBestUsableTierWhenNoneIsNamed) {
  const auto kernels = find_kernels(std::nullopt, Numerics::kExact);
  ASSERT_TRUE(kernels.ok());
  const bool avx2 = has_features({"avx2", "fma", "f16c"});
  const bool vnni = avx2 && has_features({"avx512f", "avx512bw", "avx512vnni"});
  const bool neon = has_features({"asimddp"});
  const bool tiles = vnni && has_features({"amx_tile", "amx_int8"}) && may_use_tiles();
  EXPECT_EQ((*kernels)->isa, tiles  ? "amx"
                             : vnni ? "avx512vnni"
                             : avx2 ? "avx2"
                             : neon ? "neon"
                                    : "portable");
}

TEST(TiersTest, UsesTilesOnlyWhereTheyArePermitted) {
  const bool tiles = has_features({"avx512f", "avx512bw", "avx512vnni", "amx_tile", "amx_int8"}) &&
                     may_use_tiles();
  const auto kernels = find_kernels("amx", Numerics::kExact);
  EXPECT_EQ(kernels.ok(), tiles);
  if (!tiles) {
    EXPECT_EQ(kernels.status().code(), StatusCode::kUnsupported);
  }
}

// X15: nobody could tell whether the wide path was used, nor switch it off.
TEST(TiersTest, X15NamesTheTierThatIsUsedAndTakesAnyUsableOneInstead) {
  for (const Tier& tier : tiers()) {
    const auto kernels = find_kernels(std::string(tier.name), Numerics::kExact);
    ASSERT_EQ(kernels.ok(), tier.usable()) << tier.name;
    if (kernels.ok()) {
      EXPECT_EQ((*kernels)->isa, tier.name);
    }
  }
}

TEST(TiersTest, RefusesATierThatIsNotBuiltAndNamesThoseThatAre) {
#if defined(__x86_64__)
  const auto unbuilt = {"neon"};
#else
  const auto unbuilt = {"amx", "avx512vnni", "avx2"};
#endif
  for (const char* name : unbuilt) {
    const Status status = find_kernels(name, Numerics::kExact).status();
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_THAT(status.message(), HasSubstr(name));
    EXPECT_THAT(status.message(), HasSubstr("portable"));
  }
  const Status status = find_kernels("sse9", Numerics::kExact).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("portable"));
}

TEST(TiersTest, FillsWhatATierLeavesToTheNextOne) {
  for (const Tier& tier : tiers()) {
    if (!tier.usable()) continue;
    const Kernels* kernels = find_kernels(std::string(tier.name), Numerics::kExact).value();
    EXPECT_EQ(kernels->isa, tier.name);
#define CAIRN_EXPECT_FILLED(field) EXPECT_NE(kernels->field, nullptr) << tier.name << " " #field;
    CAIRN_KERNELS(CAIRN_EXPECT_FILLED)
#undef CAIRN_EXPECT_FILLED
    for (const Dot dot : kernels->dots) EXPECT_NE(dot, nullptr) << tier.name;
  }
}

TEST(TiersTest, RefusesTheFastClassWhereItDoesNotExist) {
  const Status status = find_kernels(std::nullopt, Numerics::kFast).status();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("fast"));
}

TEST(DevicesTest, OpensTheCpuForAutoAndRefusesWhatIsNotBuilt) {
  for (const char* name : {"auto", "cpu"}) {
    auto device = open_device(DeviceOptions{.device = name, .cpu = {.threads = 1}});
    ASSERT_TRUE(device.ok());
    EXPECT_EQ((*device)->name(), "cpu");
  }
  for (const char* name : {"vulkan", "cuda"}) {
    const Status status = open_device(DeviceOptions{.device = name}).status();
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_THAT(status.message(), HasSubstr(name));
  }
  EXPECT_EQ(open_device(DeviceOptions{.device = "tpu"}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(open_device(DeviceOptions{.cpu = {.threads = 5000}}).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(DevicesTest, KeepsTheCacheTypeThatIsAskedForAndRefusesTheOthersByName) {
  const auto opened = [](const char* numerics, const char* type) {
    DeviceSettings settings;
    settings.numerics = numerics;
    settings.kv_cache_dtype = type;
    settings.threads = 1;
    return open_device(settings);
  };
  EXPECT_EQ(opened("exact", "auto").value()->default_cache_type(), CacheType::kBf16);
  EXPECT_EQ(opened("exact", "bf16").value()->default_cache_type(), CacheType::kBf16);
  EXPECT_EQ(opened("exact", "int8").value()->default_cache_type(), CacheType::kInt8);
  EXPECT_EQ(opened("reference", "auto").value()->default_cache_type(), CacheType::kF32);
  EXPECT_EQ(opened("reference", "f32").value()->default_cache_type(), CacheType::kF32);
  EXPECT_THAT(opened("exact", "f32").status().message(),
              HasSubstr("kv-cache-dtype: the exact class keeps bf16 or int8, not f32"));
  EXPECT_EQ(opened("reference", "int8").value()->default_cache_type(), CacheType::kInt8);
  EXPECT_EQ(opened("exact", "fp8").status().code(), StatusCode::kInvalidArgument);
}

// Per kv head, keys and values: 32 slots of the head's elements; int8 adds a scale of 4 bytes each.
TEST(DevicesTest, APageHasTheBytesOfItsCacheType) {
  const auto device = open_device(DeviceOptions{.cpu = {.threads = 1}}).value();
  EXPECT_EQ(device->page_bytes({3, 64, CacheType::kBf16}), 2U * 3 * 32 * 64 * 2);
  EXPECT_EQ(device->page_bytes({3, 64, CacheType::kF32}), 2U * 3 * 32 * 64 * 4);
  EXPECT_EQ(device->page_bytes({3, 64, CacheType::kInt8}), 2U * 3 * 32 * (64 + 2 * 4));
  EXPECT_EQ(device->page_bytes({1, 19, CacheType::kInt8}), 2U * 1 * 32 * (19 + 4));
}

// Y02: a build for every x86-64 machine says what it found and what it uses.
TEST(CpuFeaturesTest, UsesOnlyWhatWasDetected) {
  for (const CpuFeature& feature : cpu_features()) {
    EXPECT_TRUE(feature.detected || !feature.used) << feature.name;
  }
#if defined(__x86_64__)
  ASSERT_FALSE(cpu_features().empty());
  EXPECT_EQ(cpu_features()[0].name, "sse2");
  for (const CpuFeature& feature : cpu_features()) {
    if (feature.name != "avx2") continue;
    EXPECT_EQ(feature.detected, __builtin_cpu_supports("avx2") != 0);
  }
#endif
}

}  // namespace
}  // namespace cairn::kernels
