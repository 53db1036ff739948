#include "server/wire/strict_json.h"

#include <gtest/gtest.h>

namespace cairn::server {
namespace {

TEST(StrictJsonTest, TextOfStrangersMayNotSayAThingTwice) {
  EXPECT_TRUE(parse_strict_json(R"({"a":{"b":1},"b":[{"b":2},{"b":3}]})", 64).ok());
  const Status twice = parse_strict_json(R"([{"a":{"b":1,"b":2}}])", 64).status();
  EXPECT_EQ(twice.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(twice.message().find("\"b\""), std::string::npos);
  EXPECT_FALSE(parse_strict_json("{", 64).ok());
  EXPECT_FALSE(parse_strict_json("[[[]]]", 2).ok());
  std::string many = "{";
  for (std::size_t i = 0; i < kJsonKeysMax; ++i) many += "\"" + std::to_string(i) + "\":0,";
  many.back() = '}';
  EXPECT_TRUE(parse_strict_json(many, 64).ok());
  many.back() = ',';
  EXPECT_FALSE(parse_strict_json(many + "\"more\":0}", 64).ok());
}

}  // namespace
}  // namespace cairn::server
