#include "formats/describe.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/gguf/gguf.h"
#include "formats/gguf/writer.h"
#include "formats/quote.h"

namespace cairn::formats {
namespace {

std::vector<std::byte> model_bytes() {
  MetadataArray nested;
  nested.element_type = MetadataType::kArray;
  nested.arrays = {array_of<std::int32_t>({1, 2})};
  GgufWriter writer;
  writer.set("text", std::string("line\nnext"))
      .set("long", std::string(500, 'x'))
      .set("half", 0.5f)
      .set("flag", true)
      .set("words", array_of<std::string>({"a", "b", "c", "d", "e", "f", "g"}))
      .set("nested", nested);
  const std::vector<float> values(64, 1.0f);
  writer.add_f32("norm", {64}, values);
  writer.add_tensor("w", ElementType::kQ8_0, {32, 4}, std::vector<std::byte>(136));
  writer.add_tensor("v", ElementType::kQ8_0, {32, 8}, std::vector<std::byte>(272));
  return writer.bytes();
}

TEST(DescribeTest, MetadataIsOneLineEach) {
  const std::vector<std::byte> bytes = model_bytes();
  const Result<ModelFile> file = parse_gguf(bytes);
  ASSERT_TRUE(file.ok()) << file.status().message();
  const Description all = describe(*file);
  ASSERT_EQ(all.metadata.size(), 6u);
  EXPECT_EQ(all.metadata[0].value, "line\\x0Anext");
  EXPECT_EQ(all.metadata[0].type, "string");
  EXPECT_EQ(all.metadata[1].value, std::string(200, 'x') + "...");
  EXPECT_EQ(all.metadata[2].value, "0.5");
  EXPECT_EQ(all.metadata[3].value, "true");
  EXPECT_EQ(all.metadata[4].value, R"([7] "a", "b", "c", "d", "e", "f", ...)");
  EXPECT_EQ(all.metadata[4].type, "array of string");
  EXPECT_EQ(all.metadata[5].value, "[1] [2] 1, 2");
}

TEST(DescribeTest, BytesAreSummedByType) {
  const std::vector<std::byte> bytes = model_bytes();
  const Result<ModelFile> file = parse_gguf(bytes);
  ASSERT_TRUE(file.ok()) << file.status().message();
  const Description all = describe(*file);
  ASSERT_EQ(all.tensors.size(), 3u);
  EXPECT_EQ(all.tensors[1].type, "Q8_0");
  EXPECT_EQ(all.tensors[1].values, 128u);
  ASSERT_EQ(all.types.size(), 2u);
  EXPECT_EQ(all.types[0].type, "Q8_0");
  EXPECT_EQ(all.types[0].tensors, 2u);
  EXPECT_EQ(all.types[0].bytes, 408u);
  EXPECT_EQ(all.types[1].bytes, 256u);
  EXPECT_EQ(all.values, 448u);
  EXPECT_EQ(all.tensor_bytes, 664u);
}

TEST(PrintableTest, ShowsAnyBytesOnOneLine) {
  EXPECT_EQ(printable("plain \xC3\xA9"), "plain \xC3\xA9");
  EXPECT_EQ(printable("a\tb\\\x80\xC2\x85"), "a\\x09b\\\\\\x80\\xC2\\x85");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

}  // namespace
}  // namespace cairn::formats
