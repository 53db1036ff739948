#include "cli/plain_command.h"

#include <gtest/gtest.h>

#include <array>

namespace cairn::cli {
namespace {

constexpr std::array kFlags = {
    PlainFlag{.name = "out"},
    PlainFlag{.name = "strict", .kind = PlainFlagKind::kSwitch},
};

Result<PlainArguments> parse(const std::vector<std::string_view>& arguments) {
  return parse_plain(kFlags, arguments);
}

TEST(PlainCommandTest, AFlagTakesOneOrTwoDashesAndItsValueEitherWay) {
  for (const std::vector<std::string_view>& arguments :
       {std::vector<std::string_view>{"--out", "a", "--strict"},
        {"-out", "a", "-strict"},
        {"--out=a", "-strict=true"}}) {
    const Result<PlainArguments> parsed = parse(arguments);
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    EXPECT_EQ(parsed->value("out"), "a");
    EXPECT_TRUE(parsed->on("strict"));
    EXPECT_TRUE(parsed->rest.empty());
  }
  EXPECT_FALSE(parse({"--strict=false"})->on("strict"));
  EXPECT_EQ(parse({"--out="})->value("out"), "");
  EXPECT_EQ(parse({"--out", "--strict"})->value("out"), "--strict");
  EXPECT_EQ(parse({})->value("out"), std::nullopt);
}

TEST(PlainCommandTest, TheFirstArgumentThatIsNoFlagEndsThem) {
  const std::vector<std::string_view> arguments = {"--out", "a", "cmd", "--strict"};
  const Result<PlainArguments> parsed = parse(arguments);
  ASSERT_TRUE(parsed.ok());
  EXPECT_FALSE(parsed->on("strict"));
  ASSERT_EQ(parsed->rest.size(), 2U);
  EXPECT_EQ(parsed->rest[0], "cmd");
  const std::vector<std::string_view> behind = {"--strict", "--", "--out", "-"};
  EXPECT_EQ(parse(behind)->rest.size(), 2U);
  const std::vector<std::string_view> dash = {"-", "x"};
  EXPECT_EQ(parse(dash)->rest.size(), 2U);
}

TEST(PlainCommandTest, UnknownRepeatedAndIncompleteFlagsAreRefusedByName) {
  EXPECT_NE(parse({"--nope"}).status().message().find("--nope"), std::string::npos);
  EXPECT_NE(parse({"--out=a", "--out=b"}).status().message().find("twice"), std::string::npos);
  EXPECT_NE(parse({"--out"}).status().message().find("--out"), std::string::npos);
  EXPECT_NE(parse({"--strict=maybe"}).status().message().find("maybe"), std::string::npos);
  EXPECT_FALSE(parse({"---out", "a"}).ok());
}

TEST(PlainCommandTest, HelpIsSeenWhereverAFlagMayStand) {
  EXPECT_TRUE(parse({"--strict", "-h"})->help);
  EXPECT_TRUE(parse({"-help"})->help);
  EXPECT_FALSE(parse({"cmd", "--help"})->help);
}

TEST(PlainCommandTest, DurationsAreDecimalNumbersWithUnitsPossiblyJoined) {
  EXPECT_EQ(*parse_duration("0"), 0);
  EXPECT_EQ(*parse_duration("1ns"), 1);
  EXPECT_EQ(*parse_duration("250ms"), 250'000'000);
  EXPECT_EQ(*parse_duration("1m30s"), 90'000'000'000);
  EXPECT_EQ(*parse_duration("1.5s"), 1'500'000'000);
  EXPECT_EQ(*parse_duration(".5us"), 500);
  EXPECT_EQ(*parse_duration("0.1ms"), 100'000);
  EXPECT_EQ(*parse_duration("24h"), 86'400'000'000'000);
  EXPECT_EQ(*parse_duration("9223372036854775807ns"), 9223372036854775807);
  for (const std::string_view text :
       {"", "1", "s", "1x", "-1s", "+1s", "1 s", "1.2.3s", ".s", "1s1", "9223372036854775808ns",
        "99999999h", "1e3s", "nan", "99999999999999999999999999s", "1S"}) {
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  }
}

}  // namespace
}  // namespace cairn::cli
