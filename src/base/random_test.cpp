#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace cairn {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The known answers that Random123, the authors' own library, ships for philox4x32-10.
TEST(RandomTest, PhiloxEqualsThePublishedAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomTest, EachOfTheThreeCountersChangesTheDraw) {
  const std::uint64_t bits = random_bits(1, 2, 3);
  EXPECT_EQ(bits, random_bits(1, 2, 3));
  EXPECT_NE(bits, random_bits(1 + (1ULL << 40), 2, 3));
  EXPECT_NE(bits, random_bits(1, 2 + (1ULL << 40), 3));
  EXPECT_NE(bits, random_bits(1, 2, 3 + (1ULL << 40)));
}

TEST(RandomTest, UnitsFillTheirRangeEvenly) {
  constexpr int kDraws = 160000;
  std::array<int, 16> counts = {};
  for (std::uint64_t position = 0; position < kDraws; ++position) {
    const double unit = random_unit(42, 0, position);
    ASSERT_GE(unit, 0.0);
    ASSERT_LT(unit, 1.0);
    ++counts[static_cast<std::size_t>(unit * 16)];
  }
  double chi_square = 0;
  for (const int count : counts) {
    const double off = count - kDraws / 16.0;
    chi_square += off * off / (kDraws / 16.0);
  }
  EXPECT_LT(chi_square, 37.7);  // 15 degrees of freedom, one in a thousand
}

}  // namespace
}  // namespace cairn
