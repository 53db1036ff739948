// Norms, encodings and activations of every tier give the portable tier's bits for every length.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "kernels/cpu/scratch.h"
#include "tests/conformance/definition.h"
#include "tests/conformance/tier_test.h"

namespace cairn::conformance {
namespace {

using kernels::Activation;
using kernels::InputScratch;
using kernels::Kernels;
using kernels::Numerics;
using kernels::Quantised;

const Kernels& of(const std::string& tier) {
  if (const Kernels* model = model_kernels(tier); model != nullptr) return *model;
  return *kernels::find_kernels(tier, Numerics::kExact).value();
}

/// Values over the whole range of f32, and what is no ordinary number.
std::vector<float> wild_values(std::size_t count) {
  std::vector<float> values = random_values(count, 91);
  const float odd[] = {0.0F,
                       -0.0F,
                       0x1p-140F,
                       -0x1p-149F,
                       0x1p-126F,
                       1e30F,
                       -1e38F,
                       88.8F,
                       90.0F,
                       -87.4F,
                       -105.0F,
                       0x1p-5F,
                       9.2F,
                       std::numeric_limits<float>::infinity(),
                       -std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()};
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 3 == 1) values[i] *= 100;
    if (i % 7 == 2) values[i] = odd[i / 7 % std::size(odd)];
  }
  return values;
}

class RowKernelsTest : public TierTest {};

TEST_P(RowKernelsTest, NormsRowsOfEveryLength) {
  const std::vector<float> weight = random_values(200, 92);
  for (std::size_t length = 1; length <= 200; ++length) {
    const std::vector<float> x = random_values(length, length);
    std::vector<float> wanted(length);
    std::vector<float> out(length);
    of("portable").norm(x, {weight.data(), 1e-6F}, wanted.data());
    of(GetParam()).norm(x, {weight.data(), 1e-6F}, out.data());
    for (std::size_t i = 0; i < length; ++i) ASSERT_TRUE(same(out[i], wanted[i])) << length;
  }
}

TEST_P(RowKernelsTest, GatesRowsOfEveryLength) {
  for (const Activation activation :
       {Activation::kSilu, Activation::kGeluTanh, Activation::kReluSquared}) {
    for (std::size_t length = 1; length <= 40; ++length) {
      const std::vector<float> gate = wild_values(length);
      const std::vector<float> up = random_values(length, 93);
      std::vector<float> wanted(length + 1, 7);
      std::vector<float> out(length + 1, 7);
      of("portable").gate(activation, gate, up.data(), wanted.data());
      of(GetParam()).gate(activation, gate, up.data(), out.data());
      for (std::size_t i = 0; i <= length; ++i) {
        ASSERT_TRUE(same(out[i], wanted[i])) << length << ", " << i;
      }
    }
    const std::vector<float> many = wild_values(70000);
    std::vector<float> wanted(many.size());
    std::vector<float> out(many.size());
    of("portable").gate(activation, many, many.data(), wanted.data());
    of(GetParam()).gate(activation, many, many.data(), out.data());
    for (std::size_t i = 0; i < many.size(); ++i) ASSERT_TRUE(same(out[i], wanted[i])) << many[i];
  }
}

TEST_P(RowKernelsTest, EncodesBlocksOfBothSizes) {
  constexpr std::size_t kCols = std::size_t{256} * 24;
  const InputScratch one = InputScratch::create(1, kCols).value();
  const InputScratch two = InputScratch::create(1, kCols).value();
  std::vector<float> x = random_values(kCols, 94);
  const float scales[] = {1, 0, 0x1p-122F, 0x1p-140F, 0x1p120F, 0x1p-121F, 1e30F};
  for (std::size_t i = 0; i < kCols; ++i) x[i] *= scales[i / 256 % std::size(scales)];
  x[3 * 256 + 17] = std::numeric_limits<float>::infinity();
  x[11 * 256 + 99] = std::numeric_limits<float>::quiet_NaN();
  x[0] = 1;
  for (std::size_t i = 1; i < 128; ++i) x[i] = (static_cast<float>(i) - 64 + 0.5F) / 127;  // ties
  for (const bool wide : {false, true}) {
    const Quantised wanted = wide ? one.a256(kCols) : one.a32(kCols);
    const Quantised out = wide ? two.a256(kCols) : two.a32(kCols);
    of("portable").quantise(x, wanted, 0);
    of(GetParam()).quantise(x, out, 0);
    EXPECT_EQ(std::memcmp(wanted.q, out.q, kCols), 0);
    EXPECT_EQ(std::memcmp(wanted.sums, out.sums, kCols / 16 * sizeof(std::int16_t)), 0);
    EXPECT_EQ(std::memcmp(wanted.sums32, out.sums32, kCols / 32 * sizeof(std::int32_t)), 0);
    for (std::size_t s = 0; s < kCols / 32; ++s) {
      EXPECT_EQ(out.minus128_sums32[s], -128 * wanted.sums32[s]) << s;
      const float d = wanted.d[32 * s / wanted.block];
      EXPECT_TRUE(same(out.scaled_sums32[s], d * static_cast<float>(wanted.sums32[s]))) << s;
    }
    for (std::size_t b = 0; b < kCols / wanted.block; ++b) {
      EXPECT_TRUE(same(wanted.d[b], out.d[b])) << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTier, RowKernelsTest, ::testing::ValuesIn(tier_and_model_names()),
                         tier_case_name);

}  // namespace
}  // namespace cairn::conformance
