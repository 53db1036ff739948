// One safetensors file: what the format allows, and the user reports S02 to S07.
#include "formats/safetensors/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>

#include "base/file.h"
#include "formats/describe.h"
#include "formats/safetensors/header.h"
#include "formats/safetensors/raw_safetensors.h"

namespace cairn::formats {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Result<ModelFile> parse(const std::string& bytes) {
  return parse_safetensors(std::as_bytes(std::span(bytes)));
}

/// The error of a file with `header` and `data_bytes` bytes of data.
std::string refusal(std::string_view header, std::size_t data_bytes = 0) {
  return parse(raw_safetensors(header, data_bytes)).status().message();
}

std::string one(std::string_view dtype, std::string_view shape, std::string_view offsets) {
  return "{" + entry("a", dtype, shape, offsets) + "}";
}

TEST(SafetensorsTest, ReadsNamesTypesShapesAndBytes) {
  const std::string bytes = raw_safetensors("{\"__metadata__\":{\"format\":\"pt\"}," +
                                                entry("w", "BF16", "[2,3]", "[4,16]") + "," +
                                                entry("s", "F32", "[]", "[0,4]") + "}  ",
                                            16);
  const auto file = parse(bytes);
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->metadata().string("format").value(), "pt");
  const TensorInfo* w = file->find("w");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->type, ElementType::kBF16);
  EXPECT_THAT(w->shape, ElementsAre(3u, 2u)) << "the row length first";
  EXPECT_EQ(w->rows(), 2u);
  EXPECT_EQ(w->bytes.size(), 12u);
  EXPECT_EQ(std::to_integer<int>(w->bytes[0]), 4);
  EXPECT_EQ(file->find("s")->rows() * file->find("s")->cols(), 1u);
  EXPECT_EQ(describe(*file).tensor_bytes, 16u);
}

TEST(SafetensorsTest, AFileWithoutTensorsIsOne) {
  EXPECT_TRUE(parse(raw_safetensors("{}", 0)).ok());
}

// The file that the Python package `safetensors` wrote (make_goldens.py).
TEST(SafetensorsTest, ReadsWhatThePythonPackageWrites) {
  const auto file =
      open_safetensors(CAIRN_SOURCE_DIR "/src/formats/safetensors/testdata/package.safetensors");
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->tensors().size(), 8u);
  for (const TensorInfo& tensor : file->tensors()) {
    ASSERT_EQ(tensor.cols(), 3u) << tensor.name;
    ASSERT_EQ(tensor.rows(), 2u) << tensor.name;
    float values[6] = {};
    info(tensor.type).decode(tensor.bytes.data(), 6, values);
    EXPECT_THAT(values, ElementsAre(-2, -1, 0, 1, 2, 3)) << tensor.name;
  }
  EXPECT_EQ(file->metadata().string("made by").value(), "safetensors");
}

TEST(SafetensorsTest, S02ALengthThatTheFileDoesNotHaveIsRefused) {
  EXPECT_THAT(parse("").status().message(), HasSubstr("0 bytes"));
  EXPECT_THAT(parse("1234567").status().message(), HasSubstr("7 bytes"));
  EXPECT_THAT(parse("\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}").status().message(),
              AllOf(HasSubstr("18446744073709551614 bytes"), HasSubstr("has 2")));
  EXPECT_THAT(parse(std::string("\x03\0\0\0\0\0\0\0{}", 10)).status().message(),
              HasSubstr("said to have 3 bytes, the file has 2"));
}

TEST(SafetensorsTest, S03RangesThatAreNoneAreRefusedWithTheTensor) {
  EXPECT_THAT(refusal(one("F32", "[1]", "[8,4]"), 16),
              AllOf(HasSubstr("tensor a"), HasSubstr("[8, 4]"), HasSubstr("16 bytes")));
  EXPECT_THAT(refusal(one("F32", "[250000]", "[0,1000000]"), 16), HasSubstr("[0, 1000000]"));
  EXPECT_THAT(refusal(one("F32", "[1]", "[-4,0]"), 16),
              AllOf(HasSubstr("found -4"), HasSubstr("\"a\"")));
  EXPECT_THAT(refusal(one("F32", "[3]", "[0,16]"), 16),
              AllOf(HasSubstr("tensor a"), HasSubstr("give 16 bytes"), HasSubstr("need 12")));
  EXPECT_THAT(refusal(one("F32", "[4294967296,4294967296]", "[0,0]")),
              HasSubstr("more than 64 bits hold"));
}

TEST(SafetensorsTest, S04EveryByteBelongsToOneTensorAndTheOrderIsFree) {
  const std::string first = entry("a", "F32", "[2]", "[0,8]");
  EXPECT_THAT(refusal("{" + first + "," + entry("b", "F32", "[2]", "[4,12]") + "}", 12),
              AllOf(HasSubstr("tensor b"), HasSubstr("belong to another")));
  EXPECT_THAT(refusal("{" + first + "," + entry("b", "F32", "[1]", "[12,16]") + "}", 16),
              AllOf(HasSubstr("tensor b"), HasSubstr("from 8 to 12"), HasSubstr("to none")));
  EXPECT_THAT(refusal("{" + first + "}", 12), HasSubstr("from 8 to 12 of the data"));
  const auto turned =
      parse(raw_safetensors("{" + entry("b", "F32", "[1]", "[8,12]") + "," + first + "}", 12));
  EXPECT_TRUE(turned.ok()) << turned.status().message();
}

TEST(SafetensorsTest, S05AHeaderAboveTheLimitSaysBothNumbers) {
  const std::string text(kSafetensorsHeaderBytesMax + 1, ' ');
  const auto file = parse(raw_safetensors(text, 0));
  EXPECT_EQ(file.status().code(), StatusCode::kTooLarge);
  EXPECT_THAT(file.status().message(), AllOf(HasSubstr("268435457"), HasSubstr("268435456")));
}

// As long as that of a file with a million tensors: longer than the 100 MB that others stop at.
TEST(SafetensorsTest, S05AHeaderOf132MBIsRead) {
  const std::string name(1300, 'e');
  std::string header = "{";
  std::size_t tensors = 0;
  while (header.size() < 132'095'296) {
    if (tensors > 0) header += ',';
    const std::string begin = std::to_string(tensors);
    header += entry(name + begin, "I8", "[1]", "[" + begin + "," + std::to_string(++tensors) + "]");
  }
  const auto file = parse(raw_safetensors(header + "}", tensors));
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->tensors().size(), tensors);
}

TEST(SafetensorsTest, S07JsonOfAnotherKindIsAMalformedHeader) {
  EXPECT_THAT(refusal("[]"), AllOf(HasSubstr("header: found a list"), HasSubstr("an object")));
  EXPECT_THAT(refusal("{\"a\":1}"), AllOf(HasSubstr("found 1"), HasSubstr("describes \"a\"")));
  EXPECT_THAT(refusal(one("F32", "[1]", "[\"0\",4]"), 4),
              AllOf(HasSubstr("the string \"0\""), HasSubstr("data_offsets of \"a\"")));
  EXPECT_THAT(refusal(one("F32", "\"2\"", "[0,8]"), 8),
              AllOf(HasSubstr("the string \"2\""), HasSubstr("shape of \"a\"")));
  EXPECT_THAT(refusal(one("F33", "[1]", "[0,4]"), 4),
              AllOf(HasSubstr("tensor a"), HasSubstr("\"F33\"")));
  const std::string a = entry("a", "I8", "[1]", "[0,1]");
  EXPECT_THAT(refusal("{" + a + "," + a + "}", 1),
              AllOf(HasSubstr("tensor a"), HasSubstr("name twice")));
  EXPECT_THAT(refusal(one("F32", "[1]", "[0,4,8]"), 8), HasSubstr("found 8"));
  EXPECT_THAT(refusal(one("F32", "[1]", "[0]"), 8), HasSubstr("found 1 numbers"));
  EXPECT_THAT(refusal(one("F32", "[[1]]", "[0,4]"), 4), HasSubstr("found a list"));
  EXPECT_THAT(refusal(one("F32", "[1.5]", "[0,4]"), 4), HasSubstr("found 1.5"));
  EXPECT_THAT(refusal("{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}"),
              HasSubstr("data_offsets is missing"));
  EXPECT_THAT(refusal("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}"), HasSubstr("twice"));
  EXPECT_THAT(refusal("{\"a\":{\"quantised\":true}}"), HasSubstr("\"quantised\""));
  EXPECT_THAT(refusal("{\"__metadata__\":{\"n\":1}}"), HasSubstr("found 1"));
  EXPECT_THAT(refusal("{\"a\":"), HasSubstr("header: no JSON at byte"));
  EXPECT_THAT(refusal("{}{}"), HasSubstr("no JSON at byte"));
  EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("found a list"));
}

TEST(SafetensorsTest, TypesThatAreNoWeightsAreRefusedByName) {
  const auto file = parse(raw_safetensors(one("F8_E4M3", "[1]", "[0,1]"), 1));
  EXPECT_EQ(file.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(file.status().message(), AllOf(HasSubstr("tensor a"), HasSubstr("F8_E4M3")));
}

}  // namespace
}  // namespace cairn::formats
