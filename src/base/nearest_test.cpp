#include "base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn {
namespace {

TEST(NearestTest, AMisspeltWordFindsTheOneThatWasMeant) {
  const std::vector<std::string> words = {"--temperature", "--top-k", "--top-p", "--threads"};
  EXPECT_EQ(nearest("--temperture", words), "--temperature");
  EXPECT_EQ(nearest("--TOP_K", words), "--top-k");
  EXPECT_EQ(nearest("--thread", words), "--threads");
  EXPECT_EQ(did_you_mean("--top-q", words), "; did you mean '--top-k'?") << "the first of two";
}

TEST(NearestTest, AWordThatIsNearNothingFindsNothing) {
  const std::vector<std::string> words = {"run", "chat"};
  for (const std::string word : {"", "x", "xyz", "powershell"}) {
    EXPECT_EQ(nearest(word, words), std::nullopt) << word;
    EXPECT_EQ(did_you_mean(word, words), "");
  }
  EXPECT_EQ(nearest("a", std::vector<std::string>{"b"}), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'a'), std::vector<std::string>{std::string(100000, 'a')}),
            std::nullopt);
}

}  // namespace
}  // namespace cairn
