// Folders that transformers saved (make_checkpoints.py) against what transformers makes of them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "formats/model_file.h"
#include "tests/golden/model_runner.h"
#include "tokenizer/tokenizer.h"

namespace cairn::tests {
namespace {

constexpr const char* kFolder = CAIRN_SOURCE_DIR "/tests/huggingface/";
constexpr std::size_t kRowStep = 8;  // every eighth row of logits is kept

std::vector<float> floats_of(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

double rms(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += double{value} * double{value};
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// Root mean square of what differs, over that of `expected`.
double relative_error(std::span<const float> found, std::span<const float> expected) {
  std::vector<float> difference(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) difference[i] = found[i] - expected[i];
  return rms(difference) / rms(expected);
}

class CheckpointTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto text = read_file(folder() + "/golden.json", 1U << 22);
    ASSERT_TRUE(text.ok()) << text.status().message();
    golden_ = parse_json(*text).value();
  }
  static std::string folder() { return kFolder + GetParam(); }
  std::vector<TokenId> prompt() const { return golden_["prompt"].get<std::vector<TokenId>>(); }

  /// The largest relative error of a row of logits.
  double error_of(ModelRunner& runner) const {
    const std::vector<TokenId> ids = prompt();
    const std::vector<float> logits = runner.feed(ids, ids.size());
    const std::size_t width = logits.size() / ids.size();
    double worst = 0;
    for (std::size_t i = 0; i < golden_["logits"].size(); ++i) {
      const std::vector<float> expected = floats_of(golden_["logits"][i].get<std::string>());
      EXPECT_GE(expected.size(), width);
      const std::span<const float> found(logits.data() + i * kRowStep * width, width);
      worst = std::max(worst, relative_error(found, std::span(expected).first(width)));
    }
    return worst;
  }

  Json golden_;
};

TEST_P(CheckpointTest, TheReferenceClassComputesWhatTransformersComputes) {
  const auto runner = ModelRunner::create(
      folder(), {.numerics = kernels::Numerics::kReference, .cache = kernels::CacheType::kF32});
  ASSERT_TRUE(runner.ok()) << runner.status().message();
  EXPECT_LT(error_of(**runner), 2e-4);
  std::vector<TokenId> greedy;
  (*runner)->reset();
  std::vector<float> logits = (*runner)->feed(prompt(), 1);
  while (greedy.size() < golden_["greedy"].size()) {
    greedy.push_back(static_cast<TokenId>(argmax(logits)));
    logits = (*runner)->feed({&greedy.back(), 1}, 1);
  }
  EXPECT_EQ(greedy, golden_["greedy"].get<std::vector<TokenId>>());
}

TEST_P(CheckpointTest, TheExactClassIsWithinAHundredth) {
  const auto runner = ModelRunner::create(folder(), {});
  ASSERT_TRUE(runner.ok()) << runner.status().message();
  EXPECT_LT(error_of(**runner), 1e-2);
}

TEST_P(CheckpointTest, TextsBecomeTheIdsOfThePackageTokenizers) {
  const auto file = formats::open_model(folder());
  ASSERT_TRUE(file.ok()) << file.status().message();
  const auto tokenizer = tokenizer::Tokenizer::create(file->metadata());
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  for (const Json& entry : golden_["ids"]) {
    const auto text = entry["text"].get<std::string>();
    EXPECT_EQ((*tokenizer)->encode(text, {.special = tokenizer::Special::kParse}),
              entry["plain"].get<std::vector<TokenId>>())
        << entry["text"];
    EXPECT_EQ((*tokenizer)
                  ->encode(text, {.special = tokenizer::Special::kParse,
                                  .add_special = tokenizer::AddSpecial::kAdd}),
              entry["added"].get<std::vector<TokenId>>())
        << entry["text"];
  }
}

std::vector<float> values_of(const formats::TensorInfo& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.rows() * tensor.cols()));
  const formats::TensorBytes bytes(tensor);
  info(tensor.type).decode(bytes.view().data(), values.size(), values.data());
  return values;
}

void expect_values(const std::vector<float>& found, const Json& expected, const char* name) {
  if (!expected.contains("values")) {
    EXPECT_EQ(sha256_hex(std::as_bytes(std::span(found))), expected["sha256"]) << name;
    return;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const float value = expected["values"][i].get<float>();
    EXPECT_NEAR(found[i], value, 1e-6F * std::abs(value)) << name << " " << i;
  }
}

// The converter is the reference for names, for the order of rows and for what is added.
TEST_P(CheckpointTest, TheTensorsAreThoseOfLlamaCppsConverter) {
  const auto file = formats::open_model(folder());
  ASSERT_TRUE(file.ok()) << file.status().message();
  const Json twin = parse_json(*read_file(folder() + "/twin.json", 1U << 20)).value();
  EXPECT_EQ(file->tensors().size(), twin["tensors"].size());
  for (const auto& [name, expected] : twin["tensors"].items()) {
    const formats::TensorInfo* tensor = file->find(name);
    ASSERT_NE(tensor, nullptr) << name;
    EXPECT_EQ(Json(tensor->shape), expected["shape"]) << name;
    expect_values(values_of(*tensor), expected, name.c_str());
  }
}

TEST_P(CheckpointTest, TheKeysAreThoseOfLlamaCppsConverter) {
  const auto file = formats::open_model(folder());
  ASSERT_TRUE(file.ok()) << file.status().message();
  const Json twin = parse_json(*read_file(folder() + "/twin.json", 1U << 20)).value();
  EXPECT_EQ(file->metadata().string("general.architecture").value(), twin["architecture"]);
  for (const auto& [key, expected] : twin["keys"].items()) {
    if (key.ends_with(".rope.dimension_count")) continue;  // as long as a head, which is said too
    if (expected.is_number()) {
      const auto found = file->metadata().f64(key);
      EXPECT_TRUE(found.ok() && *found == expected.get<double>()) << key;
    } else if (expected.is_string()) {
      EXPECT_EQ(file->metadata().string(key).value(), expected) << key;
    } else {
      const auto found = file->metadata().booleans(key);
      EXPECT_TRUE(found.ok() && *found == expected.get<std::vector<bool>>()) << key;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, CheckpointTest, testing::Values("llama", "smollm2", "gemma3"),
                         [](const auto& checkpoint) { return checkpoint.param; });

}  // namespace
}  // namespace cairn::tests
