#include "formats/gguf/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "formats/gguf/writer.h"
#include "formats/model_file.h"

namespace cairn::formats {
namespace {

using testing::HasSubstr;

TEST(SplitNameTest, ReadsTheNamesOfParts) {
  const auto name = parse_split_name("/models/m-00002-of-00003.gguf");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->prefix, "/models/m");
  EXPECT_EQ(name->part, 2u);
  EXPECT_EQ(name->count, 3u);
  EXPECT_EQ(split_path(*name, 1), "/models/m-00001-of-00003.gguf");
}

TEST(SplitNameTest, OtherNamesAreNoParts) {
  for (const char* path : {"m.gguf", "", "m-00000-of-00002.gguf", "m-00003-of-00002.gguf",
                           "m-0001-of-00002.gguf", "m-00001-of-00002.bin", "m-00001_of-00002.gguf",
                           "m-0000a-of-00002.gguf", "m-+0001-of-00002.gguf"}) {
    EXPECT_FALSE(parse_split_name(path).has_value()) << path;
  }
}

class SplitModelTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "cairn_split_test_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(int part) const {
    return folder_ + "/m-0000" + std::to_string(part) + "-of-00002.gguf";
  }

  /// Part `part` of 2, with one tensor named after it.
  static GgufWriter part_of_two(int part) {
    GgufWriter writer;
    if (part == 1) writer.set("general.architecture", std::string("test"));
    writer.set("split.no", static_cast<std::uint16_t>(part - 1))
        .set("split.count", std::uint16_t{2})
        .set("split.tensors.count", std::int32_t{2});
    const std::vector<float> values = {static_cast<float>(part), 0.0f};
    writer.add_f32("part" + std::to_string(part), {2}, values);
    return writer;
  }

  void write(int part, const GgufWriter& writer) { ASSERT_TRUE(writer.write(path(part)).ok()); }

  std::string refusal(int part) const {
    const Result<ModelFile> file = open_model(path(part));
    EXPECT_FALSE(file.ok());
    return file.status().message();
  }

  std::string folder_;
};

// G22: opening any part opens the whole.
TEST_F(SplitModelTest, AnyPartOpensAllParts) {
  write(1, part_of_two(1));
  write(2, part_of_two(2));
  for (const int part : {1, 2}) {
    Result<ModelFile> opened = open_model(path(part));
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    const ModelFile file = std::move(opened).value();  // views survive a move
    EXPECT_EQ(file.metadata().string("general.architecture").value(), "test");
    ASSERT_EQ(file.tensors().size(), 2u);
    EXPECT_EQ(file.tensors()[0].name, "part1");
    EXPECT_EQ(file.file_count(), 2u);
    const TensorInfo* second = file.find("part2");
    ASSERT_NE(second, nullptr);
    std::vector<float> values(2);
    info(second->type).decode(second->bytes.data(), 2, values.data());
    EXPECT_EQ(values[0], 2.0f);
    file.release(*second);
    info(second->type).decode(second->bytes.data(), 2, values.data());
    EXPECT_EQ(values[0], 2.0f) << "released bytes stay readable";
  }
}

TEST_F(SplitModelTest, AMissingPartIsNamed) {
  write(1, part_of_two(1));
  EXPECT_EQ(refusal(1), path(2) + ": part 2 of 2 of the split model is missing");
  std::filesystem::rename(path(1), path(2));
  EXPECT_THAT(refusal(2), HasSubstr("part 1 of 2"));
}

TEST_F(SplitModelTest, APartWhoseNameSaysSomethingElseIsRefused) {
  write(1, part_of_two(2));
  write(2, part_of_two(2));
  EXPECT_THAT(refusal(1), HasSubstr("its keys say part 2 of 2 of a split model; a name that ends "
                                    "with -00002-of-00002.gguf is expected"));
  EXPECT_THAT(refusal(2), HasSubstr(path(1) + ": its keys say part 2 of 2"));
}

TEST_F(SplitModelTest, ARenamedPartSaysWhatItsNameShouldBe) {
  ASSERT_TRUE(part_of_two(1).write(folder_ + "/other.gguf").ok());
  const Result<ModelFile> file = open_model(folder_ + "/other.gguf");
  EXPECT_THAT(file.status().message(), HasSubstr("-00001-of-00002.gguf is expected"));
}

TEST_F(SplitModelTest, ATensorCountThatPartsDoNotReachIsRefused) {
  write(1, part_of_two(1).set("split.tensors.count", std::int32_t{3}));
  write(2, part_of_two(2));
  EXPECT_THAT(refusal(1), HasSubstr("split.tensors.count holds 3; the parts hold 2 tensors"));
}

TEST_F(SplitModelTest, ATensorInTwoPartsIsRefused) {
  const std::vector<float> values = {1.0f, 2.0f};
  write(1, part_of_two(1));
  write(2, part_of_two(2).add_f32("part1", {2}, values));
  EXPECT_THAT(refusal(1), HasSubstr("split.tensors.count"));
  write(2,
        part_of_two(2).add_f32("part1", {2}, values).set("split.tensors.count", std::int32_t{3}));
  write(1, part_of_two(1).set("split.tensors.count", std::int32_t{3}));
  EXPECT_THAT(refusal(1), HasSubstr("tensor part1: the file holds this name twice"));
}

TEST_F(SplitModelTest, MetadataThatPartsContradictIsRefused) {
  write(1, part_of_two(1));
  write(2, part_of_two(2).set("general.architecture", std::string("other")));
  EXPECT_THAT(refusal(1), HasSubstr(path(2) + ": key general.architecture differs"));
  write(2, part_of_two(2).set("general.architecture", std::string("test")));
  EXPECT_TRUE(open_model(path(1)).ok());
}

TEST_F(SplitModelTest, ATruncatedPartIsNamed) {
  write(1, part_of_two(1));
  write(2, part_of_two(2));
  std::filesystem::resize_file(path(2), std::filesystem::file_size(path(2)) - 4);
  EXPECT_THAT(refusal(1), HasSubstr(path(2) + ": tensor part2: 8 bytes at offset 0 end outside"));
}

TEST_F(SplitModelTest, APartNumberBehindTheCountIsRefused) {
  write(1, part_of_two(1).set("split.no", std::uint16_t{2}));
  EXPECT_THAT(refusal(1), HasSubstr("split.no holds 2; less than split.count, 2, is accepted"));
}

}  // namespace
}  // namespace cairn::formats
