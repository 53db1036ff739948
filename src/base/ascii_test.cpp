#include "base/ascii.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(AsciiTest, OnlyLettersOfAsciiBecomeSmall) {
  EXPECT_EQ(lower_ascii("@AZ[`az{ \xC3\x84"), "@az[`az{ \xC3\x84");
  EXPECT_EQ(lower_ascii('Q'), 'q');
}

TEST(AsciiTest, BlanksAroundATextGoAndThoseInsideStay) {
  EXPECT_EQ(trimmed(" \t/clear  now\r\n"), "/clear  now");
  EXPECT_EQ(trimmed("x"), "x");
  for (const char* text : {"", " ", "\r\n\t "}) EXPECT_EQ(trimmed(text), "");
}

}  // namespace
}  // namespace cairn
