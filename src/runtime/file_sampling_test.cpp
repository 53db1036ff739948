#include "runtime/file_sampling.h"

#include <gtest/gtest.h>

namespace cairn::runtime {
namespace {

TEST(FileSamplingTest, IsGreedyWhereTheFileSaysNothing) {
  const auto sampling = read_sampling({});
  ASSERT_TRUE(sampling.ok());
  EXPECT_EQ(sampling->params.temperature, 0);
  EXPECT_EQ(sampling->origin, "greedy");
}

TEST(FileSamplingTest, TakesWhatTheFileSays) {
  formats::Metadata metadata;
  metadata.set("general.sampling.temp", 0.6F);
  metadata.set("general.sampling.top_k", std::int32_t{20});
  metadata.set("general.sampling.top_p", 0.95F);
  metadata.set("general.sampling.penalty_repeat", 1.1F);
  metadata.set("general.sampling.penalty_last_n", std::int32_t{64});
  const auto sampling = read_sampling(metadata);
  ASSERT_TRUE(sampling.ok());
  EXPECT_FLOAT_EQ(static_cast<float>(sampling->params.temperature), 0.6F);
  EXPECT_EQ(sampling->params.top_k, 20);
  EXPECT_EQ(sampling->params.repetition_window, 64);
  EXPECT_EQ(sampling->origin,
            "the file's generation settings: temperature, top-k, top-p, repetition-penalty, "
            "repetition-window");
  EXPECT_TRUE(sampling->warnings.empty());
}

TEST(FileSamplingTest, ATruncationWithoutATemperatureMeansOne) {
  formats::Metadata metadata;
  metadata.set("general.sampling.top_k", std::int32_t{64});
  EXPECT_EQ(read_sampling(metadata)->params.temperature, 1);
}

TEST(FileSamplingTest, WarnsOfWhatItDoesNotUnderstand) {
  formats::Metadata metadata;
  metadata.set("general.sampling.xtc_probability", 0.5F);
  metadata.set("general.sampling.sequence", std::string("top_k;temp"));
  const auto sampling = read_sampling(metadata);
  EXPECT_EQ(sampling->params.xtc_probability, 0.5);
  ASSERT_EQ(sampling->warnings.size(), 1U);
  EXPECT_NE(sampling->warnings[0].find("general.sampling.sequence is not"), std::string::npos);
}

TEST(FileSamplingTest, MirostatDropsTheTruncationsBesideItAndSaysSo) {
  formats::Metadata metadata;
  metadata.set("general.sampling.mirostat", std::int32_t{2});
  metadata.set("general.sampling.mirostat_tau", 4.0F);
  metadata.set("general.sampling.top_k", std::int32_t{40});
  const auto sampling = read_sampling(metadata);
  ASSERT_TRUE(sampling.ok());
  EXPECT_EQ(sampling->params.mirostat, 2);
  EXPECT_EQ(sampling->params.mirostat_tau, 4);
  EXPECT_EQ(sampling->params.top_k, 0);
  EXPECT_EQ(sampling->params.temperature, 1);
  ASSERT_EQ(sampling->warnings.size(), 1U);
  EXPECT_NE(sampling->warnings[0].find("mirostat"), std::string::npos);
}

TEST(FileSamplingTest, RefusesValuesOfTheWrongTypeOrOutOfRange) {
  formats::Metadata metadata;
  metadata.set("general.sampling.top_k", std::string("many"));
  EXPECT_EQ(read_sampling(metadata).status().code(), StatusCode::kInvalidFile);
  metadata.set("general.sampling.top_k", std::int32_t{-5});
  EXPECT_EQ(read_sampling(metadata).status().message(),
            "generation settings: top_k is -5, accepted is 0 (all) or a number of tokens");
}

}  // namespace
}  // namespace cairn::runtime
