#include "runtime/store/model_name.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace cairn::runtime {
namespace {

TEST(ModelNameTest, AHubNameHasAnOrganisationARepositoryATagAndARevision) {
  const auto name = parse_model_name("my-org/Some.Model_1:Q4_K_M@refs/pr/3");
  ASSERT_TRUE(name.ok()) << name.status().message();
  EXPECT_EQ(name->id(), "my-org/Some.Model_1");
  EXPECT_EQ(name->tag, "Q4_K_M");
  EXPECT_EQ(name->revision, "refs/pr/3");
  EXPECT_EQ(name->folder(), "models--my-org--Some.Model_1");
  EXPECT_EQ(parse_model_name("a/b")->tag, "");
  EXPECT_EQ(parse_model_name("a/b:dir/file.gguf")->tag, "dir/file.gguf");
}

TEST(ModelNameTest, NamesThatCouldLeaveTheirFolderOrMeanAnotherAreRefused) {
  for (const std::string_view text :
       {"",         "a",       "/",      "a/",       "/b",     "a/b/c", "../b",
        "a/..",     ".a/b",    "a/.b",   "a--b/c",   "a/b--c", "a b/c", "a/b?c",
        "a/b#c",    "a/b%2e",  "a/b:",   "a/b:../x", "a/b:/x", "a/b@",  "a/b@../x",
        "a/b@x//y", "a/b@-\n", "a\\b/c", "a/b:x\\y", "a/b..c"}) {
    EXPECT_EQ(parse_model_name(text).ok(), false) << text;
  }
  EXPECT_FALSE(parse_model_name("a/" + std::string(97, 'b')).ok());
  EXPECT_FALSE(parse_model_name(std::string("a/b\0c", 5)).ok());
}

TEST(ModelNameTest, FileNamesOfARepositoryStayInsideIt) {
  EXPECT_TRUE(check_repository_path("a.gguf").ok());
  EXPECT_TRUE(check_repository_path("Q4 K M/a b-\xC3\xA9.gguf").ok());
  EXPECT_TRUE(check_repository_path("...").ok());
  for (const std::string_view path :
       {"", "/a", "a/", "a//b", "..", "../a", "a/../b", "a/..", "./a", "a\\b", "a\nb", "a\x7F"}) {
    EXPECT_EQ(check_repository_path(path).code(), StatusCode::kInvalidFile) << path;
  }
  EXPECT_FALSE(check_repository_path(std::string("a\0b", 3)).ok());
  EXPECT_FALSE(check_repository_path(std::string(2000, 'a')).ok());
  EXPECT_TRUE(check_repository_path("1/2/3/4/5/6/7/a.gguf").ok());
  EXPECT_FALSE(check_repository_path("1/2/3/4/5/6/7/8/a.gguf").ok());  // it would not be listed
}

}  // namespace
}  // namespace cairn::runtime
