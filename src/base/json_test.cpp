#include "base/json.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace cairn {
namespace {

TEST(JsonTest, KeysKeepTheOrderOfTheText) {
  const auto value = parse_json(R"({"b": 1, "a": [true, null, "x\"]"], "c": 1.5})");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->dump(), R"({"b":1,"a":[true,null,"x\"]"],"c":1.5})");
}

TEST(JsonTest, WhatIsNoJsonIsAnErrorWithItsPlace) {
  for (const std::string_view text : {"", "{", "[1,]", "nul", "\"\xFF\"", "{\"a\":1} x", "1e999",
                                      "\"\\ud800\"", "[[[\"]\"", "]"}) {
    const auto value = parse_json(text);
    EXPECT_EQ(value.status().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(value.status().message().find("json.exception"), std::string::npos) << text;
  }
  EXPECT_NE(parse_json("[1,]").status().message().find("column 4"), std::string::npos);
}

TEST(JsonTest, NestingIsBounded) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  EXPECT_TRUE(parse_json(deep).ok());
  EXPECT_FALSE(parse_json("[" + deep + "]").ok());
  EXPECT_FALSE(parse_json(std::string(8000000, '[')).ok());
  EXPECT_TRUE(parse_json("[\"[[[[\\\"[[[\"]", 1).ok());
}

}  // namespace
}  // namespace cairn
