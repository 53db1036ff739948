#include "base/checked.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace cairn {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

TEST(CheckedTest, SumsAndProductsThatFitAreExact) {
  EXPECT_EQ(checked_add(kMax - 1, 1), kMax);
  EXPECT_EQ(checked_mul(1ULL << 32, (1ULL << 32) - 1), (1ULL << 32) * ((1ULL << 32) - 1));
  EXPECT_EQ(checked_mul(0, kMax), 0U);
  EXPECT_EQ(checked_mul(kMax, 0), 0U);
}

TEST(CheckedTest, SumsAndProductsThatDoNotFitAreNothing) {
  EXPECT_EQ(checked_add(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_mul(1ULL << 32, 1ULL << 32), std::nullopt);
  EXPECT_EQ(checked_mul(3, kMax / 2), std::nullopt);
}

TEST(CheckedTest, AlignsUpToAnyAlignmentButZero) {
  EXPECT_EQ(checked_align_up(0, 32), 0U);
  EXPECT_EQ(checked_align_up(33, 32), 64U);
  EXPECT_EQ(checked_align_up(64, 32), 64U);
  EXPECT_EQ(checked_align_up(10, 7), 14U);
  EXPECT_EQ(checked_align_up(5, 0), std::nullopt);
  EXPECT_EQ(checked_align_up(kMax - 1, 32), std::nullopt);
}

}  // namespace
}  // namespace cairn
