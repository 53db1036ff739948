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
  EXPECT_EQ((*kernels)->isa, vnni ? "avx512vnni" : avx2 ? "avx2" : neon ? "neon" : "portable");
}

TEST(TiersTest, UsesTilesOnlyWhereTheyAreAskedForAndPermitted) {
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
