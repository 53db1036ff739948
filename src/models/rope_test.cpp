#include "models/rope.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::models {
namespace {

TEST(RopeTest, FrequenciesFallByTheBaseOverTheDimensions) {
  const std::vector<float> frequencies = inverse_frequencies({.dims = 8, .base = 10000}, {});
  ASSERT_EQ(frequencies.size(), 4U);
  EXPECT_FLOAT_EQ(frequencies[0], 1.0f);
  EXPECT_FLOAT_EQ(frequencies[1], 0.1f);
  EXPECT_FLOAT_EQ(frequencies[2], 0.01f);
  EXPECT_FLOAT_EQ(frequencies[3], 0.001f);
}

TEST(RopeTest, ALinearFactorDividesPositions) {
  const std::vector<float> frequencies =
      inverse_frequencies({.dims = 4, .base = 100, .linear_factor = 8}, {});
  EXPECT_FLOAT_EQ(frequencies[0], 0.125f);
  EXPECT_FLOAT_EQ(frequencies[1], 0.0125f);
}

TEST(RopeTest, FactorsOfTheFileDivideEachFrequency) {
  const std::vector<float> factors = {1, 4};
  const std::vector<float> frequencies = inverse_frequencies({.dims = 4, .base = 100}, factors);
  EXPECT_FLOAT_EQ(frequencies[0], 1.0f);
  EXPECT_FLOAT_EQ(frequencies[1], 0.025f);
}

// Llama 3.1: base 500000, factor 8, bands at 1 and 4 turns of an original context of 8192.
TEST(RopeTest, BandsKeepShortWavesAndStretchLongOnes) {
  const RopeSpec spec{.dims = 64, .base = 500000, .bands = RopeBands{.factor = 8}};
  const RopeSpec plain{.dims = 64, .base = 500000};
  const std::vector<float> scaled = inverse_frequencies(spec, {});
  const std::vector<float> unscaled = inverse_frequencies(plain, {});
  EXPECT_EQ(scaled[0], unscaled[0]);
  EXPECT_FLOAT_EQ(scaled[31], unscaled[31] / 8);
  // i = 16: 500000^-0.5 turns 1.84 times in 8192 positions, between the bands.
  const double frequency = 1 / std::sqrt(500000.0);
  const double smooth = (8192 * frequency / (2 * std::acos(-1.0)) - 1) / 3;
  const double expected = (1 - smooth) * frequency / 8 + smooth * frequency;
  EXPECT_NEAR(scaled[16], expected, 1e-9);
}

}  // namespace
}  // namespace cairn::models
