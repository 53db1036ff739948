#include "evidence/wire/predicates.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::evidence {
namespace {

TEST(PredicatesTest, BlankIsEmptyAfterTrimming) {  // J-15
  for (const std::string_view text : {"", " ", "\t\r\n "}) EXPECT_TRUE(is_blank(text)) << text;
  for (const std::string_view text : {"a", " . "}) EXPECT_FALSE(is_blank(text)) << text;
}

TEST(PredicatesTest, PrivateNamesPathsHostsAndUsers) {  // J-10
  for (const std::string_view text :
       {"a\\b", "/x", "user@host", "run /Users/x", "a/HOME/x", "SSH box", "via ssh box"}) {
    EXPECT_TRUE(is_private(text)) << text;
  }
  for (const std::string_view text : {"", "a/b", "sshd", "users/x", "~/x", "C:/x", "run x"}) {
    EXPECT_FALSE(is_private(text)) << text;
  }
  EXPECT_FALSE(is_private_path("user@host"));
  EXPECT_TRUE(is_private_path("/x"));
}

TEST(PredicatesTest, AScrubbedIdIsFilledAndNamesNobody) {  // J-11
  EXPECT_TRUE(is_scrubbed_id("a100-80gib-1"));
  for (const std::string_view text : {"", "  ", "user@host", "/x", "a:b", "c\\d", "SSH box"}) {
    EXPECT_FALSE(is_scrubbed_id(text)) << text;
  }
}

TEST(PredicatesTest, ARelativePathStaysInItsFolder) {  // J-12
  for (const std::string_view text : {"a", "a/b.json", "a/..b", "a..", "..."}) {
    EXPECT_TRUE(is_relative_path(text)) << text;
  }
  for (const std::string_view text : {"", " ", "/x", "C:/x", "c:x", "../x", "a/../b", "a/..", "..",
                                      "~/x", "~u", "http://x", "a\\b", "u@h"}) {
    EXPECT_FALSE(is_relative_path(text)) << text;
  }
}

TEST(PredicatesTest, APlaceholderStartsWithFill) {  // J-13
  EXPECT_TRUE(is_placeholder("FILL_"));
  EXPECT_FALSE(is_placeholder("fill_x"));
  EXPECT_FALSE(is_placeholder(" FILL_x"));
}

TEST(PredicatesTest, AHashIs64LowerCaseDigitsAndNotTheFiller) {  // J-14
  const std::string good = std::string(63, '0') + "a";
  EXPECT_TRUE(is_sha256_hex(good));
  EXPECT_FALSE(is_sha256_hex(std::string(64, '0')));
  EXPECT_TRUE(is_hex64(std::string(64, '0')));
  EXPECT_FALSE(is_sha256_hex(good.substr(1)));
  EXPECT_FALSE(is_sha256_hex(good + "a"));
  EXPECT_FALSE(is_sha256_hex(std::string(63, '0') + "A"));
  EXPECT_FALSE(is_sha256_hex(std::string(63, '0') + "g"));
}

TEST(PredicatesTest, PrivateTextLooksAtEveryPart) {  // J-17
  for (const std::string_view text :
       {"run --model /srv/x.gguf", "run --model=/srv/x", "scp box:/data/x .", "scp box:~x .",
        "http://node7:80", "run '~/x'", "run (/x)", "a;/x", "a,/x", "a \"C:/x\"", "10.0.0.1",
        "host 10.0.0.1:80", "user@host", "a\\b", "run c:x"}) {
    EXPECT_TRUE(is_private_text(text)) << text;
  }
  for (const std::string_view text :
       {"", "cairn bench arm --ids 1,2", "model.gguf", "aa:b", "1.2.3", "1.2.3.4.5", "300.1.1.1",
        "10.0.0.1:", "10.0.0.1:x", ":/x", "key=value", "a/b:c"}) {
    EXPECT_FALSE(is_private_text(text)) << text;
  }
}

}  // namespace
}  // namespace cairn::evidence
