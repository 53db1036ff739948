// The GGUF reader on good bytes and on every kind of bad ones. Longer than code files.
#include "formats/gguf/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "formats/gguf/raw_gguf.h"
#include "formats/gguf/writer.h"

namespace cairn::formats {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kF32Id = 0;

/// The message of a file that must be refused with `code`.
std::string refusal(std::span<const std::byte> bytes, StatusCode code = StatusCode::kInvalidFile) {
  const Result<ModelFile> file = parse_gguf(bytes);
  EXPECT_FALSE(file.ok());
  EXPECT_EQ(static_cast<int>(file.status().code()), static_cast<int>(code))
      << file.status().message();
  return file.status().message();
}

std::string refusal(const RawGguf& raw, StatusCode code = StatusCode::kInvalidFile) {
  return refusal(raw.bytes(), code);
}

/// A small model with every kind of value, one tensor of each of two types.
GgufWriter small_model() {
  MetadataArray nested;
  nested.element_type = MetadataType::kArray;
  nested.arrays = {array_of<std::int32_t>({1, 2, 3}), array_of<std::string>({"x", ""})};
  GgufWriter writer;
  writer.set("general.architecture", std::string("test"))
      .set("u8", std::uint8_t{200})
      .set("i8", std::int8_t{-3})
      .set("u16", std::uint16_t{60000})
      .set("i16", std::int16_t{-30000})
      .set("u32", std::uint32_t{4000000000U})
      .set("i32", std::int32_t{-2000000000})
      .set("u64", std::numeric_limits<std::uint64_t>::max())
      .set("i64", std::numeric_limits<std::int64_t>::min())
      .set("f32", 0.1f)
      .set("f64", 0.1)
      .set("yes", true)
      .set("text", std::string("a\0b", 3))
      .set("words", array_of<std::string>({"", "one", "two"}))
      .set("floats", array_of<float>({1.5f, -2.0f}))
      .set("flags", array_of<bool>({true, false, true}))
      .set("nested", nested);
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  writer.add_f32("a.weight", {3, 2}, values);
  writer.add_tensor("b.weight", ElementType::kQ8_0, {32}, std::vector<std::byte>(34, std::byte{1}));
  return writer;
}

TEST(GgufTest, ReadsWhatTheWriterWrites) {
  const std::vector<std::byte> bytes = small_model().bytes();
  const Result<ModelFile> file = parse_gguf(bytes);
  ASSERT_TRUE(file.ok()) << file.status().message();
  const Metadata& metadata = file->metadata();
  EXPECT_EQ(metadata.u64("u64").value(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(metadata.i64("i64").value(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(metadata.i64("i8").value(), -3);
  EXPECT_EQ(metadata.u64("u16").value(), 60000u);
  EXPECT_EQ(metadata.f64("f32").value(), static_cast<double>(0.1f));
  EXPECT_EQ(metadata.f64("f64").value(), 0.1);
  EXPECT_TRUE(metadata.boolean("yes").value());
  EXPECT_EQ(metadata.string("text").value(), std::string_view("a\0b", 3));
  EXPECT_THAT(metadata.strings("words").value(), testing::ElementsAre("", "one", "two"));
  EXPECT_THAT(metadata.f64s("floats").value(), testing::ElementsAre(1.5, -2.0));
  EXPECT_THAT(metadata.booleans("flags").value(), testing::ElementsAre(true, false, true));
  const auto& nested = std::get<MetadataArray>(*metadata.find("nested"));
  ASSERT_EQ(nested.size(), 2u);
  EXPECT_EQ(nested.arrays[0], array_of<std::int32_t>({1, 2, 3}));
  EXPECT_EQ(nested.arrays[1], array_of<std::string>({"x", ""}));

  ASSERT_EQ(file->tensors().size(), 2u);
  const TensorInfo* a = file->find("a.weight");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->cols(), 3u);
  EXPECT_EQ(a->rows(), 2u);
  std::vector<float> values(6);
  info(a->type).decode(a->bytes.data(), 6, values.data());
  EXPECT_THAT(values, testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(file->find("c.weight"), nullptr);
}

TEST(GgufTest, ReadsVersionsTwoAndThree) {
  for (const std::uint32_t version : {2u, 3u}) {
    RawGguf raw(version, 1, 1);
    raw.key("k", MetadataType::kU8).number<std::uint8_t>(7).tensor("t", {2}, kF32Id, 0).data(8);
    const Result<ModelFile> file = parse_gguf(raw.bytes());
    ASSERT_TRUE(file.ok()) << file.status().message();
    EXPECT_EQ(file->metadata().u64("k").value(), 7u);
    EXPECT_EQ(file->find("t")->bytes[7], std::byte{7});
  }
}

TEST(GgufTest, RefusesOtherVersionsByName) {
  EXPECT_THAT(refusal(RawGguf(1, 0, 0), StatusCode::kUnsupported), HasSubstr("GGUF version 1"));
  EXPECT_THAT(refusal(RawGguf(4, 0, 0), StatusCode::kUnsupported),
              HasSubstr("GGUF version 4 is unknown to this version (" CAIRN_VERSION ")"));
  EXPECT_THAT(refusal(RawGguf(0, 0, 0), StatusCode::kUnsupported), HasSubstr("GGUF version 0"));
}

TEST(GgufTest, RefusesBigEndianFilesByName) {
  EXPECT_THAT(refusal(RawGguf(0x03000000, 0, 0), StatusCode::kUnsupported),
              HasSubstr("GGUF version 3 in big-endian byte order"));
}

TEST(GgufTest, RefusesBytesThatAreNotGguf) {
  EXPECT_THAT(refusal(std::as_bytes(std::span(std::string_view("GGML1234")))),
              HasSubstr("begins with \"GGML\""));
  EXPECT_THAT(refusal(std::span<const std::byte>()), HasSubstr("ends at byte 0"));
}

// G02 and G30 for the file itself: cut anywhere, it is refused and never read past its end.
TEST(GgufTest, RefusesAFileCutAtAnyByte) {
  const std::vector<std::byte> bytes = small_model().bytes();
  ASSERT_TRUE(parse_gguf(bytes).ok());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // A copy of that size, so that a sanitizer sees a read behind it.
    const std::vector<std::byte> cut(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(parse_gguf(cut).ok()) << size;
  }
}

TEST(GgufTest, NamesTheTensorWhoseDataIsCutOff) {
  std::vector<std::byte> bytes = small_model().bytes();
  bytes.pop_back();
  EXPECT_THAT(refusal(bytes), HasSubstr("tensor b.weight: 34 bytes at offset 32 end outside"));
}

// G03: dimensions whose product wraps round to something small.
TEST(GgufTest, RefusesASizeThatOverflows) {
  const std::uint64_t wraps = (1ULL << 60) + 1;
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("t", {4, wraps}, kF32Id, 0).data(16)),
              HasSubstr("tensor t: size overflows: dimensions [4, 1152921504606846977]"));
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("t", {1ULL << 32, 1ULL << 32}, kF32Id, 0).data(16)),
              HasSubstr("tensor t: size overflows"));
  // The last multiplication, by the block's bytes, overflows too.
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("t", {1ULL << 63}, kF32Id, 0).data(16)),
              HasSubstr("tensor t: size overflows"));
}

TEST(GgufTest, RefusesMoreKeysOrTensorsThanAnyFileHas) {
  EXPECT_THAT(refusal(RawGguf(3, 0, 70000).data(std::size_t{70000} * 13), StatusCode::kTooLarge),
              HasSubstr("70000 metadata keys; at most 65536"));
  EXPECT_THAT(refusal(RawGguf(3, 300000, 0).data(std::size_t{300000} * 24), StatusCode::kTooLarge),
              HasSubstr("300000 tensors; at most 262144"));
}

// G04: counts that the rest of the file cannot hold.
TEST(GgufTest, RefusesCountsThatCannotFitTheFile) {
  for (const std::uint64_t count : {(1ULL << 63) / 64 - 1, ~0ULL, 1ULL << 32}) {
    EXPECT_THAT(refusal(RawGguf(3, count, 0)), HasSubstr("tensors need at least 24 bytes each"));
    EXPECT_THAT(refusal(RawGguf(3, 0, count)), HasSubstr("keys need at least 13 bytes each"));
  }
}

TEST(GgufTest, RefusesAnArrayOrStringThatClaimsMoreThanTheFile) {
  for (const std::uint64_t count : {1ULL << 62, ~0ULL, 100ULL}) {
    for (const MetadataType type : {MetadataType::kU8, MetadataType::kF64, MetadataType::kString,
                                    MetadataType::kArray, MetadataType::kBool}) {
      RawGguf raw(3, 0, 1);
      raw.key("list", MetadataType::kArray).number(static_cast<std::uint32_t>(type)).number(count);
      EXPECT_THAT(refusal(raw.raw("1234567890")), HasSubstr("key list: "));
    }
    RawGguf raw(3, 0, 1);
    EXPECT_THAT(refusal(raw.key("word", MetadataType::kString).number(count).raw("x")),
                HasSubstr("key word: a string claims"));
    EXPECT_THAT(refusal(RawGguf(3, 0, 1).number(count).raw("12345678")),
                HasSubstr("metadata key 0 claims"));
  }
}

/// A file whose general.alignment is an unsigned 32-bit number.
RawGguf with_alignment(std::uint32_t alignment) {
  RawGguf raw(3, 1, 1);
  raw.key("general.alignment", MetadataType::kU32).number(alignment);
  return raw.tensor("t", {2}, kF32Id, 0);
}

// G05
TEST(GgufTest, RefusesAnAlignmentThatIsNotASmallPowerOfTwo) {
  for (const std::uint32_t alignment : {2147483648U, 0U, 3U, 2097152U, 33U}) {
    EXPECT_THAT(refusal(with_alignment(alignment).data(8)),
                HasSubstr("general.alignment holds " + std::to_string(alignment) +
                          "; a power of two up to 1048576 is accepted"));
  }
}

TEST(GgufTest, DataBeginAtTheAlignmentTheFileGives) {
  for (const std::uint32_t alignment : {1U, 8U, 64U, 4096U}) {
    const RawGguf raw = with_alignment(alignment).data(8, alignment);
    const Result<ModelFile> file = parse_gguf(raw.bytes());
    ASSERT_TRUE(file.ok()) << file.status().message();
    EXPECT_EQ(file->find("t")->bytes[0], std::byte{0});
    EXPECT_EQ(file->find("t")->bytes[7], std::byte{7});
  }
}

// G06: the alignment in another integer type is read, in any other type refused by name.
TEST(GgufTest, ReadsAnAlignmentOfAnyIntegerType) {
  RawGguf narrow(3, 0, 1);
  EXPECT_TRUE(
      parse_gguf(
          narrow.key("general.alignment", MetadataType::kI32).number<std::int32_t>(32).bytes())
          .ok());
  RawGguf text(3, 0, 1);
  EXPECT_THAT(refusal(text.key("general.alignment", MetadataType::kString).string("32")),
              HasSubstr("key general.alignment is stored as string; an integer is accepted"));
  RawGguf negative(3, 0, 1);
  EXPECT_THAT(
      refusal(negative.key("general.alignment", MetadataType::kI32).number<std::int32_t>(-32)),
      HasSubstr("general.alignment holds -32"));
}

// G17: a type newer than this build says so, with the tensor and the version.
TEST(GgufTest, NamesATypeItDoesNotKnow) {
  for (const std::uint32_t type : {43U, 250U, ~0U}) {
    EXPECT_EQ(refusal(RawGguf(3, 1, 0).tensor("blk.0.ffn_up.weight", {32}, type, 0).data(64),
                      StatusCode::kUnsupported),
              "tensor blk.0.ffn_up.weight: type " + std::to_string(type) +
                  " is unknown to this version (" CAIRN_VERSION
                  "); the newest it knows is 42 (Q2_0)");
  }
}

TEST(GgufTest, RefusesTypesThatAreNeverWeightsByName) {
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("t", {32}, 9, 0).data(64), StatusCode::kUnsupported),
              HasSubstr("tensor t: type 9 is Q8_1, which holds activations"));
  EXPECT_THAT(
      refusal(RawGguf(3, 1, 0).tensor("t", {256}, 15, 0).data(512), StatusCode::kUnsupported),
      HasSubstr("tensor t: type 15 is Q8_K, which holds activations"));
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("t", {32}, 31, 0).data(64), StatusCode::kUnsupported),
              HasSubstr("tensor t: type 31 is Q4_0_4_4, which was removed"));
}

TEST(GgufTest, RefusesShapesThatCannotBe) {
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("t", {1, 1, 1, 1, 1}, kF32Id, 0).data(64)),
              HasSubstr("tensor t: 5 dimensions; at most 4"));
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("t", {4, 0}, kF32Id, 0).data(64)),
              HasSubstr("tensor t: a dimension is 0"));
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("t", {48, 2}, 3, 0).data(64)),
              HasSubstr("tensor t: rows of 48 values are not whole blocks of 32 values of Q4_1"));
}

TEST(GgufTest, ATensorWithoutDimensionsIsOneValue) {
  const RawGguf raw = RawGguf(3, 1, 0).tensor("t", {}, kF32Id, 0).data(4);
  const Result<ModelFile> file = parse_gguf(raw.bytes());
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->find("t")->rows() * file->find("t")->cols(), 1u);
  EXPECT_EQ(file->find("t")->bytes.size(), 4u);
}

TEST(GgufTest, RefusesNamesAndKeysThatAreEmptyDoubleOrTooLong) {
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("", {1}, kF32Id, 0).data(4)),
              HasSubstr("tensor 0 has no name"));
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor(std::string(256, 'n'), {1}, kF32Id, 0).data(4)),
              HasSubstr("the name of tensor 0 has 256 bytes; at most 255"));
  EXPECT_THAT(
      refusal(
          RawGguf(3, 2, 0).tensor("same", {8}, kF32Id, 0).tensor("same", {8}, kF32Id, 32).data(64)),
      HasSubstr("tensor same: the file holds this name twice"));
  RawGguf empty(3, 0, 1);
  EXPECT_THAT(refusal(empty.key("", MetadataType::kU8).number<std::uint8_t>(1)),
              HasSubstr("metadata key 0 is empty"));
  RawGguf twice(3, 0, 2);
  twice.key("k", MetadataType::kU8).number<std::uint8_t>(1);
  EXPECT_THAT(refusal(twice.key("k", MetadataType::kU8).number<std::uint8_t>(1)),
              HasSubstr("key k: the file holds this key twice"));
  RawGguf lengthy(3, 0, 1);
  EXPECT_THAT(refusal(lengthy.key(std::string(70000, 'k'), MetadataType::kU8)),
              HasSubstr("metadata key 0 has 70000 bytes; at most 65535"));
}

TEST(GgufTest, RefusesDataThatOverlapOrLieOutsideOrOffTheAlignment) {
  EXPECT_THAT(
      refusal(RawGguf(3, 2, 0).tensor("a", {16}, kF32Id, 0).tensor("b", {8}, kF32Id, 32).data(128)),
      HasSubstr("tensor a at offset 0 overlaps tensor b, which begins at 32"));
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("a", {8}, kF32Id, 96).data(96)),
              HasSubstr("tensor a: 32 bytes at offset 96 end outside the file"));
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("a", {8}, kF32Id, ~0ULL - 31).data(96)),
              HasSubstr("tensor a: 32 bytes at offset 18446744073709551584 end outside"));
  EXPECT_THAT(refusal(RawGguf(3, 1, 0).tensor("a", {1}, kF32Id, 16).data(96)),
              HasSubstr("tensor a: offset 16 is not a multiple of the alignment 32"));
}

// G31: the order of the entries means nothing; only the stored offsets do.
TEST(GgufTest, FindsDataByOffsetAndNotByOrder) {
  const RawGguf raw = RawGguf(3, 3, 0)
                          .tensor("c", {8}, kF32Id, 64)
                          .tensor("a", {8}, kF32Id, 0)
                          .tensor("b", {8}, kF32Id, 32)
                          .data(96);
  const Result<ModelFile> file = parse_gguf(raw.bytes());
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->find("a")->bytes[0], std::byte{0});
  EXPECT_EQ(file->find("b")->bytes[0], std::byte{32});
  EXPECT_EQ(file->find("c")->bytes[0], std::byte{64});
}

TEST(GgufTest, RefusesValuesThatTheirTypeCannotHold) {
  RawGguf flag(3, 0, 1);
  EXPECT_THAT(refusal(flag.key("flag", MetadataType::kBool).number<std::uint8_t>(2)),
              HasSubstr("key flag: a bool holds 2; 0 or 1 is accepted"));
  RawGguf flags(3, 0, 1);
  flags.key("flags", MetadataType::kArray).number<std::uint32_t>(7).number<std::uint64_t>(1);
  EXPECT_THAT(refusal(flags.number<std::uint8_t>(255)), HasSubstr("key flags: a bool holds 255"));
  for (const std::uint32_t type : {13U, 255U, ~0U}) {
    RawGguf raw(3, 0, 1);
    EXPECT_THAT(refusal(raw.string("odd").number(type).number<std::uint64_t>(0)),
                HasSubstr("key odd: value type " + std::to_string(type) + " is unknown"));
    RawGguf list(3, 0, 1);
    list.key("odd", MetadataType::kArray).number(type).number<std::uint64_t>(0);
    EXPECT_THAT(refusal(list),
                HasSubstr("key odd: element type " + std::to_string(type) + " is unknown"));
  }
}

TEST(GgufTest, RefusesArraysThatLieTooDeep) {
  RawGguf raw(3, 0, 1);
  raw.key("deep", MetadataType::kArray);
  for (int i = 0; i < 100'000; ++i) raw.number<std::uint32_t>(9).number<std::uint64_t>(1);
  EXPECT_THAT(refusal(raw), HasSubstr("key deep: arrays lie more than 8 deep"));
}

TEST(GgufTest, RefusesAFileOfNothingButArrays) {
  RawGguf raw(3, 0, 1);
  constexpr std::uint64_t kCount = 1'000'001;
  raw.key("many", MetadataType::kArray).number<std::uint32_t>(9).number(kCount);
  for (std::uint64_t i = 0; i < kCount; ++i) {
    raw.number<std::uint32_t>(0).number<std::uint64_t>(0);
  }
  EXPECT_THAT(refusal(raw), HasSubstr("key many: more than 1000000 arrays"));
}

TEST(GgufTest, MessagesShowOddNamesOnOneLine) {
  RawGguf raw(3, 0, 1);
  EXPECT_THAT(refusal(raw.key("a\nb\xFF\x1B[2J", MetadataType::kBool).number<std::uint8_t>(9)),
              HasSubstr("key a\\x0Ab\\xFF\\x1B[2J: a bool holds 9"));
}

// A short run of what the fuzzer does at length: every answer is a value or an error.
TEST(GgufTest, NoChangeOfAnyByteDoesHarm) {
  const std::vector<std::byte> good = small_model().bytes();
  for (std::uint64_t round = 0; round < 20'000; ++round) {
    std::vector<std::byte> bytes = good;
    const std::uint64_t changes = 1 + random_bits(1, 0, round) % 4;
    for (std::uint64_t i = 0; i < changes; ++i) {
      const std::uint64_t bits = random_bits(2 + i, 0, round);
      bytes[bits % bytes.size()] = static_cast<std::byte>(bits >> 40 & 255);
    }
    const Result<ModelFile> file = parse_gguf(bytes);
    EXPECT_NE(file.ok(), !file.status().message().empty());
  }
}

}  // namespace
}  // namespace cairn::formats
