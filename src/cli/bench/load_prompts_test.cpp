#include "cli/bench/load_prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace cairn::cli {
namespace {

using testing::HasSubstr;

TEST(LoadPromptsTest, TheMadeCorpusIsAlwaysTheSame) {  // M-50, M-51
  EXPECT_EQ(corpus_sha256(made_corpus()), corpus_sha256(made_corpus()));
  for (const auto& prompts : made_corpus()) EXPECT_EQ(prompts.size(), 8U);
  LoadCorpus changed = made_corpus();
  changed[2][3] += " more";
  EXPECT_NE(corpus_sha256(changed), corpus_sha256(made_corpus()));
}

TEST(LoadPromptsTest, AListHasTheSharesOfTheClassesAndIsThatOfItsSeed) {  // M-50
  const LoadList list = load_list(made_corpus(), 1, 100);
  std::map<std::string, int> classes;
  for (const std::string& name : list.classes) ++classes[name];
  EXPECT_EQ(classes["short-question"], 35);
  EXPECT_EQ(classes["code"], 40);
  EXPECT_EQ(classes["prose"], 15);
  EXPECT_EQ(classes["long-review"], 10);
  EXPECT_EQ(load_list(made_corpus(), 1, 100).prompts, list.prompts);
  EXPECT_NE(load_list(made_corpus(), 2, 100).prompts, list.prompts);
}

TEST(LoadPromptsTest, AFileNamesItsClassesAndItsFaults) {
  const std::string good =
      "{\"class\":\"short question\",\"prompt\":\"a\"}\n\n{\"class\":\"code\",\"prompt\":\"b\"}\n"
      "{\"class\":\"prose\",\"prompt\":\"c\"}\n{\"class\":\"long review\",\"prompt\":\"d\"}\n";
  const Result<LoadCorpus> read = parse_corpus(good);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ((*read)[1], std::vector<std::string>{"b"});
  EXPECT_THAT(parse_corpus(good + "{\"class\":\"x\",\"prompt\":\"e\"}").status().message(),
              HasSubstr("line 6: found the class 'x', expected one of: short question, code"));
  EXPECT_THAT(parse_corpus("{\"class\":\"code\"}").status().message(),
              HasSubstr("line 1: found no prompt"));
  EXPECT_THAT(parse_corpus("[]").status().message(), HasSubstr("no JSON object"));
  EXPECT_THAT(parse_corpus("").status().message(),
              HasSubstr("no prompt of the class 'short question'"));
}

}  // namespace
}  // namespace cairn::cli
