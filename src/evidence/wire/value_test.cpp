#include "evidence/wire/value.h"

#include <gtest/gtest.h>

#include "evidence/wire/encode.h"
#include "evidence/wire/parse.h"

namespace cairn::evidence {
namespace {

TEST(ValueTest, NumbersAreTheTextThatEcmaScriptGives) {  // J-20
  const std::pair<double, std::string_view> numbers[] = {
      {0.0, "0"},
      {-0.0, "0"},
      {1.0, "1"},
      {-3.25, "-3.25"},
      {6.966061, "6.966061"},
      {27.500000000000004, "27.500000000000004"},
      {100, "100"},
      {1e20, "100000000000000000000"},
      {123456789012345680000.0, "123456789012345680000"},
      {1e21, "1e+21"},
      {1.5e21, "1.5e+21"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {1e-6, "0.000001"},
      {1.5e-6, "0.0000015"},
      {9.99e-7, "9.99e-7"},
      {1e-7, "1e-7"},
      {5e-324, "5e-324"},
      {0.1 + 0.2, "0.30000000000000004"},
      {9007199254740993.0, "9007199254740992"},
      {-1e-7, "-1e-7"},
  };
  for (const auto& [value, text] : numbers) EXPECT_EQ(number_text(value), text);
}

TEST(ValueTest, StringsAreEscapedAsTheDigestNeedsThem) {  // J-21
  EXPECT_EQ(
      string_text("a\"\\\n\r\t\b\f\x01\x1f<>&\x7f\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA\xC3\xA4/"),
      "\"a\\\"\\\\\\n\\r\\t\\u0008\\u000c\\u0001\\u001f\\u003c\\u003e\\u0026\x7f"
      "\\u2028\\u2029\xE2\x80\xAA\xC3\xA4/\"");
}

TEST(ValueTest, BothLayoutsKeepTheOrderOfKeys) {  // J-22
  const Parsed parsed = parse_document(R"({"b" : [ 1, {"a":null} ], "a":{}, "c":[], "d":true})");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(to_text(parsed.root, Layout::kCompact),
            R"({"b":[1,{"a":null}],"a":{},"c":[],"d":true})");
  EXPECT_EQ(to_text(parsed.root, Layout::kIndented),
            "{\n  \"b\": [\n    1,\n    {\n      \"a\": null\n    }\n  ],\n  \"a\": {},\n"
            "  \"c\": [],\n  \"d\": true\n}");
}

TEST(ValueTest, SpellingOfANumberSurvives) {
  const Parsed parsed = parse_document("[40, 40.0, 4e1, 18446744073709551616]");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(to_text(parsed.root, Layout::kCompact), "[40,40.0,4e1,18446744073709551616]");
}

}  // namespace
}  // namespace cairn::evidence
