#include "models/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace cairn::models {
namespace {

using testing::HasSubstr;

formats::ModelFile file_with(const formats::Metadata& metadata) {
  formats::TensorInfo table{.name = "token_embd.weight", .shape = {2, 4}};
  return formats::ModelFile::create(metadata, {table}, {}).value();
}

TEST(ConfigTest, RefusesAKeyOfTheArchitectureThatNobodyRead) {
  formats::Metadata metadata;
  metadata.set("llama.block_count", std::uint32_t{2});
  metadata.set("llama.expert_count", std::uint32_t{8});
  metadata.set("llama.new_trick", 1.5f);
  metadata.set("general.anything", std::uint32_t{1});
  const formats::ModelFile file = file_with(metadata);
  Config config(file, "llama");
  EXPECT_EQ(*config.count("block_count"), 2U);
  const Status status = config.refuse_unread();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("\"llama.expert_count\", \"llama.new_trick\""));
}

TEST(ConfigTest, AcceptsKeysThatCannotChangeTheResult) {
  formats::Metadata metadata;
  metadata.set("llama.vocab_size", std::uint32_t{4});
  metadata.set("llama.expert_count", std::uint32_t{0});
  metadata.set("llama.attention.causal", true);
  metadata.set("llama.tensor_data_layout", std::string("Meta AI original pth"));
  const formats::ModelFile file = file_with(metadata);
  EXPECT_TRUE(Config(file, "llama").refuse_unread().ok());
}

TEST(ConfigTest, RefusesAHarmlessKeyWithAnotherValue) {
  formats::Metadata metadata;
  metadata.set("llama.attention.causal", false);
  const formats::ModelFile file = file_with(metadata);
  EXPECT_THAT(Config(file, "llama").refuse_unread().message(), HasSubstr("llama.attention.causal"));
}

TEST(ConfigTest, CountsAreAtLeastOneAndBounded) {
  formats::Metadata metadata;
  metadata.set("llama.zero", std::uint32_t{0});
  metadata.set("llama.huge", std::numeric_limits<std::uint64_t>::max());
  metadata.set("llama.text", std::string("12"));
  const formats::ModelFile file = file_with(metadata);
  Config config(file, "llama");
  EXPECT_THAT(config.count("zero").status().message(), HasSubstr("\"llama.zero\" is 0"));
  EXPECT_THAT(config.count("huge").status().message(), HasSubstr("18446744073709551615"));
  EXPECT_EQ(config.count("text").status().code(), StatusCode::kInvalidFile);
  EXPECT_THAT(config.count("absent").status().message(), HasSubstr("llama.absent"));
  EXPECT_EQ(*config.count_or("absent", 7), 7U);
  EXPECT_EQ(*config.count_or_none("zero"), 0U);
  EXPECT_EQ(*config.count_or_none("absent"), 0U);
}

TEST(ConfigTest, NumbersAreFiniteAndPositive) {
  formats::Metadata metadata;
  metadata.set("llama.nan", std::numeric_limits<float>::quiet_NaN());
  metadata.set("llama.minus", -1.0f);
  metadata.set("llama.cap", 30.0f);
  const formats::ModelFile file = file_with(metadata);
  Config config(file, "llama");
  EXPECT_THAT(config.positive("nan").status().message(), HasSubstr("llama.nan"));
  EXPECT_THAT(config.positive("minus").status().message(), HasSubstr("-1"));
  EXPECT_EQ(*config.cap("cap"), 30.0f);
  EXPECT_EQ(*config.cap("absent"), 0.0f);
  EXPECT_FALSE(config.cap("minus").ok());
}

TEST(ConfigTest, NumbersThat32BitsWouldTurnIntoZeroOrInfinityAreRefused) {
  formats::Metadata metadata;
  metadata.set("llama.tiny", 1e-300);
  metadata.set("llama.denormal", std::numeric_limits<float>::denorm_min());
  metadata.set("llama.huge", 1e300);
  const formats::ModelFile file = file_with(metadata);
  Config config(file, "llama");
  for (const char* name : {"tiny", "denormal", "huge"}) {
    EXPECT_THAT(config.positive(name).status().message(), HasSubstr(name));
    EXPECT_FALSE(config.cap(name).ok()) << name << ": a cap must not vanish";
  }
}

TEST(ConfigTest, APatternIsAListOrAPeriod) {
  formats::Metadata metadata;
  metadata.set("a.list", formats::array_of(std::vector<bool>{true, false}));
  metadata.set("a.period", std::uint32_t{2});
  const formats::ModelFile file = file_with(metadata);
  Config config(file, "a");
  EXPECT_EQ(*config.pattern_or("list", 2, 6), (std::vector<bool>{true, false}));
  EXPECT_THAT(config.pattern_or("list", 3, 6).status().message(), HasSubstr("2 values"));
  EXPECT_EQ(*config.pattern_or("period", 4, 6), (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(*config.pattern_or("absent", 3, 3), (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace cairn::models
