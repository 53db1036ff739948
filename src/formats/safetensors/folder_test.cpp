// Folders of safetensors files: the user reports S08, S09 and S12, and indices that lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "formats/safetensors/raw_safetensors.h"
#include "formats/safetensors/safetensors.h"

namespace cairn::formats {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class SafetensorsFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "cairn_safetensors_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }
  /// A part with one tensor of `size` bytes.
  void write_part(const std::string& name, const std::string& tensor, int size = 4) const {
    const std::string length = std::to_string(size);
    write(name,
          raw_safetensors("{" + entry(tensor, "I8", "[" + length + "]", "[0," + length + "]") + "}",
                          static_cast<std::size_t>(size)));
  }
  /// An index that puts "a" into part 1 and "b" into part 2, and both parts.
  void write_model(const std::string& stem = "model") const {
    write_part(stem + "-00001-of-00002.safetensors", "a");
    write_part(stem + "-00002-of-00002.safetensors", "b");
    write_index(stem, "\"a\":\"" + stem + "-00001-of-00002.safetensors\",\"b\":\"" + stem +
                          "-00002-of-00002.safetensors\"");
  }
  void write_index(const std::string& stem, const std::string& map) const {
    write(stem + ".safetensors.index.json",
          "{\"metadata\":{\"total_size\":8,\"x\":[{}]},\"weight_map\":{" + map + "}}");
  }
  std::string refusal() const { return open_safetensors_folder(folder_).status().message(); }

  std::string folder_;
};

TEST_F(SafetensorsFolderTest, OpensAllPartsOfAnIndex) {
  write_model();
  const auto model = open_safetensors_folder(folder_);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->file_count(), 2u);
  EXPECT_NE(model->find("a"), nullptr);
  EXPECT_NE(model->find("b"), nullptr);
}

TEST_F(SafetensorsFolderTest, OpensTheOneFileOfAFolder) {
  write_part("model.safetensors", "a");
  EXPECT_TRUE(open_safetensors_folder(folder_).ok());
}

TEST_F(SafetensorsFolderTest, S08MissingPartsAreListed) {
  write_model();
  fs::remove(folder_ + "/model-00002-of-00002.safetensors");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("1 of the 2 parts"),
                               HasSubstr("is missing: model-00002-of-00002.safetensors")));
  fs::remove(folder_ + "/model-00001-of-00002.safetensors");
  EXPECT_THAT(refusal(), HasSubstr("model-00001-of-00002.safetensors, model-00002"));
}

TEST_F(SafetensorsFolderTest, S09OnlyTheFilesOfTheIndexAreRead) {
  write_model();
  write_part("model.safetensors", "a", 7);
  const auto model = open_safetensors_folder(folder_);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->find("a")->bytes.size(), 4u);
}

TEST_F(SafetensorsFolderTest, S12AnIndexUnderTheConsolidatedNameIsRead) {
  write_model("consolidated");
  EXPECT_TRUE(open_safetensors_folder(folder_).ok());
}

TEST_F(SafetensorsFolderTest, AnIndexThatDisagreesWithItsPartsIsRefused) {
  write_model();
  const std::string one = "\"model-00001-of-00002.safetensors\"";
  write_index("model", "\"a\":" + one + ",\"b\":" + one);
  EXPECT_THAT(refusal(), HasSubstr("tensor b: the index puts it into model-00001"));
  write_index("model", "\"a\":\"model-00002-of-00002.safetensors\"");
  EXPECT_THAT(refusal(), HasSubstr("tensor b: the index does not name it"));
  write_index("model", "\"b\":" + one + ",\"a\":\"model-00002-of-00002.safetensors\"");
  EXPECT_THAT(refusal(), HasSubstr("tensor a: the index says that it is in model-00002"));
}

TEST_F(SafetensorsFolderTest, MalformedIndicesAreRefused) {
  write_model();
  write_index("model", "\"a\":\"x.safetensors\",\"a\":\"y.safetensors\"");
  EXPECT_THAT(refusal(), HasSubstr("tensor a: the index names it twice"));
  for (const std::string part : {"../x.safetensors", "/x.safetensors", "x.bin", ".safetensors"}) {
    write_index("model", "\"a\":\"" + part + "\"");
    EXPECT_THAT(refusal(), HasSubstr("found the part \"" + part + "\"")) << part;
  }
  write_index("model", "\"a\":{}");
  EXPECT_THAT(refusal(), HasSubstr("found an object, expected the part of \"a\""));
  write_index("model", "");
  EXPECT_THAT(refusal(), HasSubstr("is empty"));
  for (const auto& [text, message] :
       std::map<std::string, std::string>{{"[]", "found a list"},
                                          {"{}", "no weight_map"},
                                          {"{\"weight_map\":null}", "found null"},
                                          {"{\"weight_map\":{},\"weight_map\":{}}", "stands twice"},
                                          {"{", "no JSON"}}) {
    write("model.safetensors.index.json", text);
    EXPECT_THAT(refusal(), HasSubstr(message)) << text;
  }
}

TEST_F(SafetensorsFolderTest, PickledWeightsAreNeverOpened) {
  write("pytorch_model.bin", "PK");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("pytorch_model.bin"), HasSubstr("safe_serialization")));
  fs::remove(folder_ + "/pytorch_model.bin");
  EXPECT_THAT(refusal(), HasSubstr("found no weights"));
  EXPECT_EQ(open_safetensors_folder(folder_ + "/nowhere").status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace cairn::formats
