// Models written in another type, and packed in one while they are loaded.
#include "runtime/quantize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/cpu/cpu_device.h"
#include "tests/golden/model_runner.h"
#include "tokenizer/tokenizer.h"

namespace cairn::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kFolder = CAIRN_SOURCE_DIR "/tests/huggingface/";

class QuantizeTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(out_); }

  /// Writes `name` of this folder in `type` to out_.
  Result<runtime::QuantizeReport> write(const std::string& name, const std::string& type) const {
    return runtime::quantize_model(
        {.path = kFolder + name, .out = out_, .type = type, .progress = {}});
  }

  std::string out_ = testing::TempDir() + "cairn_quantize_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".gguf";
};

/// Logits of twenty ids.
std::vector<float> logits_of(const formats::ModelFile& file) {
  const auto device = kernels::CpuDevice::create({.threads = 2}).value();
  const auto runner = ModelRunner::create(file, *device, 64);
  EXPECT_TRUE(runner.ok()) << runner.status().message();
  if (!runner.ok()) return {};
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < 20; ++id) ids.push_back(7 * id);
  return (*runner)->feed(ids, ids.size());
}

/// The first `width` logits of each row of `wide`, which has `rows`.
std::vector<float> narrowed(const std::vector<float>& wide, std::size_t rows, std::size_t width) {
  std::vector<float> out;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = wide.begin() + static_cast<std::ptrdiff_t>(row * wide.size() / rows);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return out;
}

TEST_F(QuantizeTest, AFileInTheFoldersOwnTypeGivesTheSameBits) {
  for (const auto& [name, type] :
       {std::pair{"llama", "BF16"}, {"smollm2", "F16"}, {"gemma3", "F32"}}) {
    ASSERT_TRUE(write(name, type).ok());
    const std::vector<float> of_folder =
        logits_of(formats::open_model(kFolder + std::string(name)).value());
    const std::vector<float> of_file = logits_of(formats::open_model(out_).value());
    ASSERT_FALSE(of_folder.empty());
    // The file has a token for each row of the embedding.
    EXPECT_EQ(narrowed(of_file, 20, of_folder.size() / 20), of_folder) << name;
  }
}

TEST_F(QuantizeTest, PackingWhileLoadingGivesTheBitsOfTheWrittenFile) {
  for (const char* type : {"Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q4_K", "Q6_K"}) {
    ASSERT_TRUE(write("llama", type).ok());
    std::vector<std::string> notes;
    const auto loaded = runtime::open_in_type(kFolder + std::string("llama"), type, notes);
    ASSERT_TRUE(loaded.ok()) << loaded.status().message();
    const std::vector<float> of_file = logits_of(formats::open_model(out_).value());
    ASSERT_FALSE(of_file.empty());
    EXPECT_EQ(logits_of(*loaded), of_file) << type;
    EXPECT_EQ(notes.empty(), !std::string(type).ends_with("_K")) << "rows of 64 and 96 values";
  }
}

TEST_F(QuantizeTest, TheFileReadsTextAsTheFolderDoes) {
  for (const char* name : {"llama", "smollm2", "gemma3"}) {
    ASSERT_TRUE(write(name, "Q8_0").ok());
    const auto folder = formats::open_model(kFolder + std::string(name)).value();
    const auto file = formats::open_model(out_).value();
    const auto one = tokenizer::Tokenizer::create(folder.metadata()).value();
    const auto other = tokenizer::Tokenizer::create(file.metadata()).value();
    const std::string text = "It's 1234 <|im_start|>user\n caf\u00e9 e\u0301 \u65e5\u672c";
    EXPECT_EQ(one->encode(text, {.special = tokenizer::Special::kParse}),
              other->encode(text, {.special = tokenizer::Special::kParse}));
    EXPECT_EQ(one->stop_ids(), other->stop_ids());
    EXPECT_EQ(file.metadata().strings("tokenizer.ggml.tokens").value().size(),
              file.find("token_embd.weight")->rows());
  }
}

TEST_F(QuantizeTest, VectorsStayFloatsAndMatricesShrink) {
  const auto report = write("llama", "Q4_0");
  ASSERT_TRUE(report.ok());
  EXPECT_LT(report->bytes_after * 3, report->bytes_before);
  for (const formats::TensorInfo& tensor : formats::open_model(out_).value().tensors()) {
    const bool is_vector = tensor.shape.size() == 1;
    EXPECT_EQ(tensor.type, is_vector ? ElementType::kF32 : ElementType::kQ4_0) << tensor.name;
  }
}

TEST_F(QuantizeTest, WhatCannotBeWrittenIsRefusedAndLeavesNothing) {
  EXPECT_THAT(write("llama", "Q3_K").status().message(),
              AllOf(HasSubstr("\"Q3_K\""), HasSubstr("Q8_0, Q4_0")));
  EXPECT_FALSE(std::filesystem::exists(out_));
  ASSERT_TRUE(write("llama", "Q8_0").ok());
  const auto again = runtime::quantize_model(
      {.path = out_, .out = out_ + ".again", .type = "Q4_0", .progress = {}});
  EXPECT_THAT(again.status().message(), AllOf(HasSubstr("Q8_0 already"), HasSubstr("F32")));
  EXPECT_FALSE(std::filesystem::exists(out_ + ".again"));
  const auto stopped = runtime::quantize_model({.path = kFolder + std::string("llama"),
                                                .out = out_ + ".stopped",
                                                .type = "Q4_0",
                                                .progress = [](auto, auto) { return false; }});
  EXPECT_EQ(stopped.status().code(), StatusCode::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(out_ + ".stopped"));
}

}  // namespace
}  // namespace cairn::tests
