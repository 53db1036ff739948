#include "base/bytes_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace cairn {
namespace {

TEST(BytesTextTest, ShowsThreeDigitsInDecimalUnits) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1'000), "1.00 kB");
  EXPECT_EQ(bytes_text(1'536), "1.54 kB");
  EXPECT_EQ(bytes_text(96'600'000), "96.6 MB");
  EXPECT_EQ(bytes_text(803'000'000), "803 MB");
}

TEST(BytesTextTest, ChangesTheUnitWhereRoundingWouldGiveAFourthDigit) {
  EXPECT_EQ(bytes_text(999'499), "999 kB");
  EXPECT_EQ(bytes_text(999'500), "1.00 MB");
}

TEST(BytesTextTest, HoldsTheLargestNumber) {
  EXPECT_EQ(bytes_text(std::numeric_limits<std::uint64_t>::max()), "18.4 EB");
}

}  // namespace
}  // namespace cairn
