#include "kernels/cpu/portable/fma_lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace cairn::kernels::portable {
namespace {

constexpr std::size_t kCount = 16;

bool same(float a, float b) {
  if (std::isnan(a) && std::isnan(b)) return true;
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

using Lanes = std::array<float, kCount>;

void expect_fma(const Lanes& a, const Lanes& b, const Lanes& c) {
  Lanes acc = c;
  fma_lanes<kCount>(
      acc.data(), [&](std::size_t i) { return a[i]; }, [&](std::size_t i) { return b[i]; });
  for (std::size_t i = 0; i < kCount; ++i) {
    const float want = std::fma(a[i], b[i], c[i]);
    ASSERT_TRUE(same(acc[i], want))
        << std::hexfloat << a[i] << " * " << b[i] << " + " << c[i] << " gave " << acc[i];
  }
}

float random_float(std::uint64_t seed, std::uint64_t i) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(random_bits(seed, 0, i)));
}

TEST(FmaLanesTest, EqualsTheInstructionOnRandomBits) {
  for (std::uint64_t n = 0; n < 200000; ++n) {
    Lanes a;
    Lanes b;
    Lanes c;
    for (std::size_t i = 0; i < kCount; ++i) {
      a[i] = random_float(1, n * kCount + i);
      b[i] = random_float(2, n * kCount + i);
      c[i] = random_float(3, n * kCount + i);
    }
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, c));
  }
}

// A sum just beside the middle of two f32 rounds to the middle in f64, which hides the side.
TEST(FmaLanesTest, SeesOnWhichSideOfATieTheValueLies) {
  for (std::uint64_t n = 0; n < 2000; ++n) {
    Lanes a;
    Lanes b;
    Lanes c;
    a.fill(1);
    b.fill(1);
    c.fill(1);
    const std::size_t lane = n % kCount;
    // c + a b = 1 + 2^-24 +- something below 2^-53, by products of f32 with few bits.
    const float tiny = std::ldexp(1.0F, -30 - static_cast<int>(n % 7));
    const float sign = n % 2 == 0 ? 1.0F : -1.0F;
    c[lane] = 1.0F + std::ldexp(static_cast<float>(n % 8), -23);
    a[lane] = 0x1p-12F * (1.0F + sign * tiny * 0x1p8F);
    b[lane] = 0x1p-12F * (1.0F - sign * 0x1p-23F);
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, c));
    a[lane] = 0x1.000002p-12F;
    b[lane] = 0x1.fffffcp-13F;  // the product is 2^-24 (1 - 2^-46)
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, c));
    c[lane] = -c[lane];
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, c));
  }
}

TEST(FmaLanesTest, EqualsTheInstructionAroundSubnormals) {
  for (std::uint64_t n = 0; n < 100000; ++n) {
    Lanes a;
    Lanes b;
    Lanes c;
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto exponent = static_cast<int>(random_bits(4, 0, n * kCount + i) % 40);
      a[i] = std::ldexp(1 + std::fabs(random_float(5, i)), 0);
      a[i] = std::bit_cast<float>(
          (std::bit_cast<std::uint32_t>(random_float(5, n * kCount + i)) & 0x807FFFFFU) |
          0x3F800000U);
      b[i] = std::ldexp(1.5F, -60);
      a[i] = std::ldexp(a[i], -70 - exponent + 20);
      c[i] = std::bit_cast<float>(static_cast<std::uint32_t>(random_bits(6, 0, n * kCount + i)) &
                                  0x81FFFFFFU);
    }
    ASSERT_NO_FATAL_FAILURE(expect_fma(a, b, c));
  }
}

TEST(FmaLanesTest, KeepsTheSignOfZeroAndSpecialValues) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float values[] = {0.0F,       -0.0F, 1.0F,      -1.0F,          kInfinity,
                          -kInfinity, NAN,   0x1p-149F, 0x1.fffffep127F};
  for (const float a : values) {
    for (const float b : values) {
      for (const float c : values) {
        Lanes as;
        Lanes bs;
        Lanes cs;
        as.fill(a);
        bs.fill(b);
        cs.fill(c);
        ASSERT_NO_FATAL_FAILURE(expect_fma(as, bs, cs));
      }
    }
  }
}

}  // namespace
}  // namespace cairn::kernels::portable
