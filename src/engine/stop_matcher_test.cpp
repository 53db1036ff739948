#include "engine/stop_matcher.h"

#include <gtest/gtest.h>

namespace cairn::engine {
namespace {

TEST(StopMatcherTest, FindsNothingWithoutStopStrings) {
  StopMatcher matcher({});
  EXPECT_EQ(matcher.push("anything"), std::nullopt);
  EXPECT_EQ(matcher.settled(), 8U);
}

TEST(StopMatcherTest, FindsAStopStringWhereverThePiecesAreCut) {
  const std::string text = "one aabaabaaab two";
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      StopMatcher matcher({"aabaaab"});
      std::optional<std::size_t> match;
      for (const auto& piece :
           {text.substr(0, first), text.substr(first, second - first), text.substr(second)}) {
        if (!match) match = matcher.push(piece);
      }
      EXPECT_EQ(match, 7U) << first << " " << second;
    }
  }
}

TEST(StopMatcherTest, SettlesWhatCanNotBeginAStopString) {
  StopMatcher matcher({"abab!", "ba?"});
  EXPECT_EQ(matcher.push("xabab"), std::nullopt);
  EXPECT_EQ(matcher.settled(), 1U);
  EXPECT_EQ(matcher.push("a"), std::nullopt);
  EXPECT_EQ(matcher.settled(), 3U) << "'aba' may still begin 'abab!'";
  EXPECT_EQ(matcher.push("?"), std::optional<std::size_t>(4));
}

TEST(StopMatcherTest, TakesTheOneThatEndsFirstAndOfThoseTheLongest) {
  EXPECT_EQ(StopMatcher({"bcde", "cd"}).push("abcdef"), std::optional<std::size_t>(2));
  EXPECT_EQ(StopMatcher({"cd", "bcd"}).push("abcdef"), std::optional<std::size_t>(1));
}

TEST(StopMatcherTest, MatchesBytesThatAreNoText) {
  StopMatcher matcher({std::string("\0\xFF", 2)});
  EXPECT_EQ(matcher.push(std::string("\xC3\0", 2)), std::nullopt);
  EXPECT_EQ(matcher.push("\xFF"), std::optional<std::size_t>(1));
}

}  // namespace
}  // namespace cairn::engine
