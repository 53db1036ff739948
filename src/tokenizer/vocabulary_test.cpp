// Damaged and odd vocabularies: the user reports G08 to G11 and G26 to G29.
#include "tokenizer/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tokenizer/test_vocabulary.h"

namespace cairn::tokenizer {
namespace {

using formats::array_of;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_of;
using testing_support::make;
using testing_support::metadata_of;
using testing_support::Token;

const std::vector<Token> kTokens = {{.text = "<unk>", .type = 2}, {.text = "a"}, {.text = "b"}};

// G08
TEST(VocabularyTest, KeepsTheFirstOfTwoEqualTokens) {
  const auto tokenizer = make(metadata_of(
      "llama", {{.text = "<unk>", .type = 2}, {.text = "a"}, {.text = "a"}, {.text = "b"}}));
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(tokenizer->find("a"), 1);
  EXPECT_EQ(tokenizer->size(), 4U);
  EXPECT_THAT(tokenizer->warnings(), Contains(AllOf(HasSubstr("1"), HasSubstr("2"))));
}

// G09
TEST(VocabularyTest, AddsNoBosWithoutItsId) {
  auto metadata = metadata_of("t5", {{.text = "<unk>", .type = 2}, {.text = "▁hi"}});
  metadata.set("tokenizer.ggml.add_bos_token", true);
  const auto tokenizer = make(metadata);
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_THAT(tokenizer->encode("hi", {.add_special = AddSpecial::kAdd}), ElementsAre(1));
  EXPECT_THAT(tokenizer->warnings(), Contains(HasSubstr("bos_token_id")));
}

// G10
TEST(VocabularyTest, RefusesListsOfTheWrongType) {
  auto metadata = metadata_of("llama", kTokens);
  metadata.set("tokenizer.ggml.scores", array_of(std::vector<std::int8_t>{0, 0, 0}));
  EXPECT_THAT(error_of(metadata), AllOf(HasSubstr("tokenizer.ggml.scores"), HasSubstr("int8")));
  metadata = metadata_of("llama", kTokens);
  metadata.set("tokenizer.ggml.token_type", array_of(std::vector<float>{1, 1, 1}));
  EXPECT_THAT(error_of(metadata),
              AllOf(HasSubstr("tokenizer.ggml.token_type"), HasSubstr("float32")));
}

TEST(VocabularyTest, RefusesAScoreThatIsNoNumber) {
  auto metadata = metadata_of("llama", kTokens);
  metadata.set("tokenizer.ggml.scores",
               array_of(std::vector<float>{0, std::numeric_limits<float>::quiet_NaN(), 0}));
  EXPECT_THAT(error_of(metadata), HasSubstr("tokenizer.ggml.scores[1]"));
}

// G11
TEST(VocabularyTest, TakesOnlyTwoHexDigitsAsAByte) {
  EXPECT_EQ(parse_byte_token("<0x0A>"), 10);
  EXPECT_EQ(parse_byte_token("<0xff>"), 255);
  const std::vector<std::string> others = {"<0x-1>", "<0xZZ>", "<0x100>",
                                           "<0x>",   "<0x+1>", "<0x 1>"};
  std::vector<Token> tokens = {{.text = "<unk>", .type = 2}};
  for (const std::string& text : others) {
    EXPECT_EQ(parse_byte_token(text), std::nullopt) << text;
    tokens.push_back({.text = text, .type = 6});
  }
  const auto tokenizer = make(metadata_of("llama", tokens));
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(tokenizer->bytes(1), "<0x-1>");
  EXPECT_THAT(tokenizer->warnings(), testing::Contains(HasSubstr("is not <0xHH>")).Times(6));
}

// G26
TEST(VocabularyTest, TakesTokenTypesOfAnyIntegerWidth) {
  auto metadata = metadata_of("llama", kTokens);
  metadata.set("tokenizer.ggml.token_type", array_of(std::vector<std::uint32_t>{2, 1, 3}));
  ASSERT_NE(make(metadata), nullptr);
  metadata.set("tokenizer.ggml.token_type", array_of(std::vector<std::int64_t>{2, 1, 3}));
  const auto wide = make(metadata);
  ASSERT_NE(wide, nullptr);
  EXPECT_TRUE(wide->is_control(2));
  metadata.set("tokenizer.ggml.token_type", array_of(std::vector<std::int64_t>{2, 99, 3}));
  const auto odd = make(metadata);
  ASSERT_NE(odd, nullptr);
  EXPECT_FALSE(odd->is_control(1));
  EXPECT_THAT(odd->warnings(), Contains(AllOf(HasSubstr("token_type[1]"), HasSubstr("99"))));
}

// G27
TEST(VocabularyTest, RefusesASpecialIdOutsideTheVocabulary) {
  auto metadata = metadata_of("llama", kTokens);
  metadata.set("tokenizer.ggml.eos_token_id", std::uint32_t{3});
  EXPECT_THAT(error_of(metadata), AllOf(HasSubstr("tokenizer.ggml.eos_token_id"), HasSubstr("3")));
}

// G27
TEST(VocabularyTest, RefusesAMergeWithoutASpace) {
  auto metadata = metadata_of("gpt2", kTokens);
  metadata.set("tokenizer.ggml.pre", std::string("gpt-2"));
  metadata.set("tokenizer.ggml.merges", array_of(std::vector<std::string>{"ab"}));
  EXPECT_THAT(error_of(metadata), HasSubstr("tokenizer.ggml.merges[0]"));
}

// G27
TEST(VocabularyTest, RefusesAShortScoreList) {
  auto metadata = metadata_of("llama", kTokens);
  metadata.set("tokenizer.ggml.scores", array_of(std::vector<float>{0, 0}));
  EXPECT_THAT(error_of(metadata), AllOf(HasSubstr("tokenizer.ggml.scores"), HasSubstr("index 2")));
}

// G28
TEST(VocabularyTest, RefusesTokensThatAreNoStrings) {
  auto metadata = metadata_of("llama", kTokens);
  metadata.set("tokenizer.ggml.tokens", array_of(std::vector<std::uint8_t>{60, 112, 97, 100, 62}));
  EXPECT_THAT(error_of(metadata), AllOf(HasSubstr("tokenizer.ggml.tokens"), HasSubstr("uint8")));
}

// G29
TEST(VocabularyTest, TakesTheCharacterMapAsAString) {
  auto metadata = metadata_of("t5", kTokens);
  metadata.set("tokenizer.ggml.precompiled_charsmap", std::string(4, '\0'));
  EXPECT_NE(make(metadata), nullptr);
  metadata.set("tokenizer.ggml.precompiled_charsmap", std::string("abcdefgh"));
  EXPECT_THAT(error_of(metadata), HasSubstr("precompiled_charsmap"));
  metadata = metadata_of("llama", kTokens);
  metadata.set("tokenizer.ggml.scores", std::string("0,0,0"));
  EXPECT_THAT(error_of(metadata), AllOf(HasSubstr("tokenizer.ggml.scores"), HasSubstr("string")));
}

TEST(VocabularyTest, RefusesACharacterMapThatLeadsInACircle) {
  // Unit 0 leads to unit 97 by "a", and that one back to itself by "a": offset 97 ^ 97 ... = 0.
  std::string map(4 + 4 * 256, '\0');
  map[1] = 4;  // 1024 bytes of units
  const auto set_unit = [&](std::size_t index, std::uint32_t unit) {
    for (std::size_t i = 0; i < 4; ++i) {
      map[4 + 4 * index + i] = static_cast<char>(unit >> (8 * i) & 0xFF);
    }
  };
  set_unit(0, 0);                                 // children at 0 ^ label
  set_unit('a', std::uint32_t{'a'} << 10 | 'a');  // its children at ('a' ^ 'a') ^ label again
  map += '\0';
  auto metadata = metadata_of("t5", kTokens);
  metadata.set("tokenizer.ggml.precompiled_charsmap", map);
  EXPECT_THAT(error_of(metadata), HasSubstr("back to itself"));
}

TEST(VocabularyTest, RefusesAFileWithoutTokens) {
  formats::Metadata metadata;
  metadata.set("tokenizer.ggml.model", std::string("llama"));
  EXPECT_THAT(error_of(metadata), HasSubstr("tokenizer.ggml.tokens"));
}

}  // namespace
}  // namespace cairn::tokenizer
