#include "formats/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace cairn::formats {
namespace {

using testing::ElementsAre;

template <typename T>
std::string error_of(const Result<T>& result, StatusCode code = StatusCode::kInvalidFile) {
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(static_cast<int>(result.status().code()), static_cast<int>(code));
  return result.status().message();
}

TEST(MetadataTest, ReadsAnIntegerOfAnyTypeWhereItFits) {
  Metadata metadata;
  metadata.set("a", std::uint8_t{7});
  metadata.set("b", std::int64_t{7});
  metadata.set("c", std::uint64_t{1} << 63);
  metadata.set("d", std::int16_t{-7});
  EXPECT_EQ(metadata.u64("a").value(), 7u);
  EXPECT_EQ(metadata.u64("b").value(), 7u);
  EXPECT_EQ(metadata.u64("c").value(), std::uint64_t{1} << 63);
  EXPECT_EQ(metadata.i64("d").value(), -7);
  EXPECT_EQ(error_of(metadata.u64("d")), "key d holds -7; an integer of 0 or more is accepted");
  EXPECT_EQ(error_of(metadata.i64("c")),
            "key c holds 9223372036854775808; at most 9223372036854775807 is accepted");
}

TEST(MetadataTest, ReadsFloatsAndWholeNumbersAsFloats) {
  Metadata metadata;
  metadata.set("single", 0.5f);
  metadata.set("whole", std::int32_t{-3});
  metadata.set("least", std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(metadata.f64("single").value(), 0.5);
  EXPECT_EQ(metadata.f64("whole").value(), -3.0);
  EXPECT_FALSE(metadata.f64("least").ok());
}

TEST(MetadataTest, AMissingKeyIsNotAWrongOne) {
  Metadata metadata;
  metadata.set("text", std::string("x"));
  EXPECT_EQ(error_of(metadata.u64("none"), StatusCode::kNotFound), "key none is missing");
  EXPECT_EQ(metadata.u64_or("none", 5).value(), 5u);
  EXPECT_EQ(metadata.f64_or("none", 0.5).value(), 0.5);
  EXPECT_EQ(metadata.boolean_or("none", true).value(), true);
  EXPECT_EQ(metadata.string_or("none", "y").value(), "y");
  EXPECT_EQ(error_of(metadata.u64_or("text", 5)),
            "key text is stored as string; an integer is accepted");
}

TEST(MetadataTest, KeepsTheOrderAndReplacesInPlace) {
  Metadata metadata;
  metadata.set("z", true);
  metadata.set("a", std::uint8_t{1});
  metadata.set("z", false);
  EXPECT_THAT(metadata.keys(), ElementsAre("z", "a"));
  EXPECT_FALSE(metadata.boolean("z").value());
  EXPECT_TRUE(metadata.has("a"));
  EXPECT_FALSE(metadata.has("b"));
}

// G10: the right number of elements of the wrong type, read as if they were floats.
TEST(MetadataTest, ScoresOfAnotherTypeAreRefusedByKeyAndType) {
  Metadata metadata;
  metadata.set("tokenizer.ggml.scores", array_of<std::int8_t>({1, 2, 3}));
  metadata.set("tokenizer.ggml.token_type", array_of<float>({1, 1, 1}));
  EXPECT_EQ(error_of(metadata.f64s("tokenizer.ggml.scores")),
            "key tokenizer.ggml.scores is stored as array of int8; array of float32 or float64 is "
            "accepted");
  EXPECT_EQ(error_of(metadata.i64s("tokenizer.ggml.token_type")),
            "key tokenizer.ggml.token_type is stored as array of float32; an array of an integer "
            "type is accepted");
}

// G26: token types as other writers store them.
TEST(MetadataTest, TokenTypesOfAnyIntegerTypeAreRead) {
  Metadata metadata;
  metadata.set("narrow", array_of<std::int8_t>({1, 3, 99}));
  metadata.set("unsigned", array_of<std::uint32_t>({1, 3, 99}));
  metadata.set("wide", array_of<std::int64_t>({1, 3, 99}));
  metadata.set("widest", array_of<std::uint64_t>({1, 3, ~0ULL}));
  for (const char* key : {"narrow", "unsigned", "wide"}) {
    EXPECT_THAT(metadata.i64s(key).value(), ElementsAre(1, 3, 99));
  }
  EXPECT_EQ(error_of(metadata.i64s("widest")),
            "key widest[2] holds 18446744073709551615; at most 9223372036854775807 is accepted");
}

// G28: the bytes of one token stored as the whole list.
TEST(MetadataTest, ATokenListOfBytesIsRefused) {
  Metadata metadata;
  metadata.set("tokenizer.ggml.tokens", array_of<std::uint8_t>({60, 112, 97, 100, 62}));
  EXPECT_EQ(error_of(metadata.strings("tokenizer.ggml.tokens")),
            "key tokenizer.ggml.tokens is stored as array of uint8; array of string is accepted");
}

// G29: a string where an array is read.
TEST(MetadataTest, AStringIsNotAnArray) {
  Metadata metadata;
  metadata.set("tokenizer.ggml.precompiled_charsmap", std::string("abc"));
  EXPECT_EQ(error_of(metadata.i64s("tokenizer.ggml.precompiled_charsmap")),
            "key tokenizer.ggml.precompiled_charsmap is stored as string; an array of an integer "
            "type is accepted");
  EXPECT_FALSE(metadata.strings("tokenizer.ggml.precompiled_charsmap").ok());
  EXPECT_FALSE(metadata.f64s("tokenizer.ggml.precompiled_charsmap").ok());
  EXPECT_FALSE(metadata.booleans("tokenizer.ggml.precompiled_charsmap").ok());
}

TEST(MetadataTest, AnArrayIsNotASingleValue) {
  Metadata metadata;
  metadata.set("list", array_of<std::int32_t>({1}));
  EXPECT_FALSE(metadata.u64("list").ok());
  EXPECT_FALSE(metadata.f64("list").ok());
  EXPECT_FALSE(metadata.boolean("list").ok());
  EXPECT_EQ(error_of(metadata.string("list")),
            "key list is stored as array of int32; string is accepted");
}

TEST(MetadataTest, ABooleanIsNotANumber) {
  Metadata metadata;
  metadata.set("flag", true);
  metadata.set("number", std::uint8_t{1});
  metadata.set("flags", array_of<bool>({true}));
  EXPECT_FALSE(metadata.u64("flag").ok());
  EXPECT_FALSE(metadata.boolean("number").ok());
  EXPECT_FALSE(metadata.i64s("flags").ok());
}

TEST(MetadataTest, EmptyListsKeepTheirType) {
  Metadata metadata;
  metadata.set("words", array_of<std::string>({}));
  metadata.set("floats", array_of<float>({}));
  EXPECT_TRUE(metadata.strings("words").value().empty());
  EXPECT_TRUE(metadata.f64s("floats").value().empty());
  EXPECT_FALSE(metadata.i64s("floats").ok());
}

TEST(MetadataTest, StringsMayHoldAnyBytes) {
  Metadata metadata;
  metadata.set("words", array_of<std::string>({std::string("\0\xFF", 2), "", "x"}));
  EXPECT_THAT(metadata.strings("words").value(),
              ElementsAre(std::string_view("\0\xFF", 2), "", "x"));
}

}  // namespace
}  // namespace cairn::formats
