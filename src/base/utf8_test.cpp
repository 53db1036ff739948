#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn {
namespace {

TEST(Utf8Test, EveryCharacterComesBackAsItWas) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, code);
    const Utf8Char got = decode_utf8(text, 0);
    ASSERT_TRUE(got.valid) << static_cast<std::uint32_t>(code);
    ASSERT_EQ(got.code, code);
    ASSERT_EQ(got.size, text.size());
    for (std::size_t part = 1; part < text.size(); ++part) {
      ASSERT_EQ(incomplete_utf8_suffix(text.substr(0, part)), part);
      ASSERT_EQ(decode_utf8(text.substr(0, part), 0).size, part);
    }
    ASSERT_EQ(incomplete_utf8_suffix(text), 0U);
  }
}

TEST(Utf8Test, SurrogatesAndNumbersPastTheEndAreReplaced) {
  std::string text;
  append_utf8(text, 0xD800);
  append_utf8(text, 0x110000);
  EXPECT_EQ(text, "\xEF\xBF\xBD\xEF\xBF\xBD");
}

// The two examples of Unicode 15, tables 3-8 and 3-11, and the other ways to be wrong.
TEST(Utf8Test, MaximalSubpartsAreReplacedOneByOne) {
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(replace_invalid_utf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(replace_invalid_utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), r + r + r + r + "A");
  EXPECT_EQ(replace_invalid_utf8("\xED\xA0\x80"), r + r + r);
  EXPECT_EQ(replace_invalid_utf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            r + r + r + r + r + "A" + r + r + "B");
  EXPECT_EQ(replace_invalid_utf8("caf\xC3\xA9\xC3"), "caf\xC3\xA9" + r);
}

TEST(Utf8Test, OnlyBytesThatCouldStillBecomeACharacterAreIncomplete) {
  EXPECT_EQ(incomplete_utf8_suffix(""), 0U);
  EXPECT_EQ(incomplete_utf8_suffix("a"), 0U);
  EXPECT_EQ(incomplete_utf8_suffix("a\xF0\x9F\x98"), 3U);
  EXPECT_EQ(incomplete_utf8_suffix("\xE0\x80"), 0U);      // overlong, never right
  EXPECT_EQ(incomplete_utf8_suffix("\xED\xA0"), 0U);      // a surrogate
  EXPECT_EQ(incomplete_utf8_suffix("\x80\x80\x80"), 0U);  // continuations alone
  EXPECT_EQ(incomplete_utf8_suffix("\xFF"), 0U);
}

TEST(Utf8Test, PastTheEndThereIsNothing) {
  EXPECT_EQ(decode_utf8("ab", 2).size, 0U);
  EXPECT_EQ(decode_utf8("", 5).size, 0U);
  EXPECT_FALSE(decode_utf8("", 0).valid);
}

}  // namespace
}  // namespace cairn
