#include "formats/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/sha256.h"
#include "formats/gguf/writer.h"
#include "formats/safetensors/raw_safetensors.h"

namespace cairn::formats {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class OpenModelTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "cairn_model_file_test_" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + ".gguf";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string refusal() const {
    const Result<ModelFile> file = open_model(path_);
    EXPECT_FALSE(file.ok());
    EXPECT_THAT(file.status().message(), StartsWith(path_));
    return file.status().message();
  }
  std::string refusal_of(std::string_view bytes) const {
    EXPECT_TRUE(write_file_whole(path_, bytes).ok());
    return refusal();
  }

  std::string path_;
};

GgufWriter tiny(const char* type) {
  GgufWriter writer;
  const std::vector<float> values(256, 1.0f);
  writer.set("general.architecture", std::string("llama"));
  writer.set("general.type", std::string(type)).add_f32("blk.0.lora_a", {256}, values);
  return writer;
}

TEST_F(OpenModelTest, OpensAModel) {
  ASSERT_TRUE(tiny("model").write(path_).ok());
  const Result<ModelFile> file = open_model(path_);
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->file_bytes(), std::filesystem::file_size(path_));
}

TEST_F(OpenModelTest, AnAdapterOrProjectorIsRefusedByName) {
  ASSERT_TRUE(tiny("adapter").write(path_).ok());
  EXPECT_THAT(refusal(), HasSubstr("general.type is \"adapter\": an adapter"));
  EXPECT_TRUE(open_any(path_).ok());
  ASSERT_TRUE(tiny("mmproj").write(path_).ok());
  EXPECT_THAT(refusal(), HasSubstr("general.type is \"mmproj\""));
  ASSERT_TRUE(tiny("dataset").write(path_).ok());
  EXPECT_THAT(refusal(), HasSubstr("general.type is \"dataset\""));
}

// G30: an adapter without its last KiB. G02: the same for any secondary model.
TEST_F(OpenModelTest, ATruncatedAdapterOrModelIsRefusedByTensor) {
  for (const char* type : {"adapter", "model"}) {
    ASSERT_TRUE(tiny(type).write(path_).ok());
    std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 1024);
    EXPECT_THAT(refusal(), HasSubstr("tensor blk.0.lora_a: 1024 bytes at offset 0 end outside"));
    ASSERT_TRUE(tiny(type).write(path_).ok());
    std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
    EXPECT_THAT(refusal(), HasSubstr("tensor blk.0.lora_a: "));
  }
}

TEST_F(OpenModelTest, WhatPeopleOpenByMistakeIsNamed) {
  EXPECT_THAT(refusal(), HasSubstr("No such file"));
  EXPECT_THAT(refusal_of(""), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal_of("version https://git-lfs.github.com/spec/v1\noid"),
              HasSubstr("a Git LFS pointer"));
  EXPECT_THAT(refusal_of("<!DOCTYPE html><html>"), HasSubstr("a web page"));
  EXPECT_THAT(refusal_of(std::string("\x40\0\0\0\0\0\0\0{\"a\":{}}", 16)),
              HasSubstr("a safetensors file"));
  EXPECT_THAT(refusal_of("PK\x03\x04model"), HasSubstr("a PyTorch checkpoint"));
  EXPECT_THAT(refusal_of("tjgg\x01\x02\x03"), HasSubstr("older than GGUF"));
  EXPECT_THAT(refusal_of("\x7F"
                         "ELF1234"),
              HasSubstr("begins with \"\\x7FELF\""));
  EXPECT_THAT(refusal_of("GGU"), HasSubstr("begins with \"GGU\""));
  EXPECT_THAT(refusal_of("GGUF\x03"), HasSubstr("the file ends at byte 5 inside the version"));
}

TEST_F(OpenModelTest, SafetensorsOpenForListingsOnly) {
  const std::string bytes = raw_safetensors("{" + entry("a", "F32", "[1]", "[0,4]") + "}", 4);
  EXPECT_THAT(refusal_of(bytes),
              HasSubstr("a safetensors file without a config.json beside it, which can be listed"));
  const Result<ModelFile> file = open_any(path_);
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->tensors().size(), 1u);
}

TEST_F(OpenModelTest, AFolderIsNoModel) {
  const Result<ModelFile> file = open_model(testing::TempDir());
  EXPECT_THAT(file.status().message(), HasSubstr("folder"));
}

TEST_F(OpenModelTest, ATypeUnknownToThisVersionIsReportedWithPathAndTensor) {
  GgufWriter writer;
  writer.add_tensor("blk.0.ffn_up.weight", static_cast<ElementType>(43), {32}, {});
  ASSERT_TRUE(writer.write(path_).ok());
  EXPECT_THAT(refusal(), HasSubstr(path_ + ": tensor blk.0.ffn_up.weight: type 43 is unknown to "
                                           "this version (" CAIRN_VERSION ")"));
}

/// SHA-256 of the decoded f32 of all tensors of the first layer, in the file's order.
std::string first_layer_hash(const ModelFile& file) {
  Sha256 hash;
  for (const TensorInfo& tensor : file.tensors()) {
    if (!tensor.name.starts_with("blk.0.")) continue;
    std::vector<float> values(tensor.rows() * tensor.cols());
    info(tensor.type).decode(tensor.bytes.data(), values.size(), values.data());
    hash.update(std::as_bytes(std::span(values)));
    file.release(tensor);
  }
  return hash.hex();
}

struct RealModel {
  const char* name = "";
  std::size_t tensors = 0;
  const char* architecture = "";
  const char* hash = "";  // from the Python package gguf 0.19.0: gguf.quants.dequantize
};

constexpr RealModel kRealModels[] = {
    {"SmolLM2-135M-Instruct.Q4_1.gguf", 272, "llama",
     "4518f77206e3b4e082b0f25f0bf1096bf653a0041b365f59f9f56db12e219e02"},
    {"gemma-3-270m-q4_k_m.gguf", 236, "gemma3",
     "bca0a581fcc75469d9b4ffec1e12c8453b95f4e278f2116d1771542435675ddf"},
};

TEST(RealModelTest, FirstLayersDecodeToTheBitsOfTheReference) {
  for (const RealModel& real : kRealModels) {
    const std::string path = std::string(CAIRN_TEST_DATA_DIR "/") + real.name;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " was not fetched";
    const Result<ModelFile> file = open_model(path);
    ASSERT_TRUE(file.ok()) << file.status().message();
    EXPECT_EQ(file->tensors().size(), real.tensors);
    EXPECT_EQ(file->metadata().string("general.architecture").value(), real.architecture);
    EXPECT_EQ(first_layer_hash(*file), real.hash) << real.name;
  }
}

}  // namespace
}  // namespace cairn::formats
