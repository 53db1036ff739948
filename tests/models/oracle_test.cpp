// Every family against transformers: tiny random checkpoints (tests/oracle/families.py says how
// they and their answers are made).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "models/registry.h"
#include "tests/golden/goldens.h"
#include "tests/golden/model_runner.h"

namespace cairn::tests {
namespace {

constexpr const char* kFolder = CAIRN_SOURCE_DIR "/tests/oracle/families";
constexpr std::size_t kPositions = 48;
constexpr std::size_t kPrompt = 8;

std::string path_to(const std::string& name, const char* ending) {
  return std::string(kFolder) + "/" + name + ending;
}

std::vector<std::string> checkpoints() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".gguf") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

struct Answers {
  std::vector<float> logits = {};  // [kPositions, vocabulary]
  std::vector<TokenId> greedy = {};
};

Answers answers_of(const std::string& name) {
  const Result<std::string> text = read_file(path_to(name, ".json"), 1 << 20);
  const Result<Json> json = parse_json(text.ok() ? *text : "{}");
  CAIRN_CHECK(json.ok() && json->contains("logits"));
  Answers answers{.greedy = (*json)["greedy"].get<std::vector<TokenId>>()};
  const auto hex = (*json)["logits"].get<std::string>();
  for (std::size_t i = 0; i + 8 <= hex.size(); i += 8) {
    std::uint32_t bits = 0;
    for (std::size_t byte = 0; byte < 4; ++byte) {
      bits |= static_cast<std::uint32_t>(std::stoul(hex.substr(i + 2 * byte, 2), nullptr, 16))
              << (8 * byte);
    }
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    answers.logits.push_back(value);
  }
  return answers;
}

std::unique_ptr<ModelRunner> runner_of(const std::string& name, kernels::Numerics numerics) {
  auto runner = ModelRunner::create(path_to(name, ".gguf"), {.numerics = numerics});
  EXPECT_TRUE(runner.ok()) << runner.status().message();
  return runner.ok() ? std::move(runner).value() : nullptr;
}

std::vector<TokenId> ids_of(std::size_t count, std::size_t vocabulary) {
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back(static_cast<TokenId>((37 * i + 11) % vocabulary));
  }
  return ids;
}

double root_mean_square(std::span<const float> values) {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * double{value};
  return std::sqrt(squares / static_cast<double>(values.size()));
}

std::vector<float> difference(std::span<const float> a, std::span<const float> b) {
  std::vector<float> out(a.begin(), a.end());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= b[i];
  return out;
}

class OracleTest : public testing::TestWithParam<std::string> {};

TEST_P(OracleTest, TheReferenceClassEqualsTransformers) {
  const Answers answers = answers_of(GetParam());
  const auto runner = runner_of(GetParam(), kernels::Numerics::kReference);
  ASSERT_NE(runner, nullptr);
  const std::vector<float> logits =
      runner->feed(ids_of(kPositions, runner->info().vocabulary), kPositions);
  ASSERT_EQ(logits.size(), answers.logits.size());
  const double scale = root_mean_square(answers.logits);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    ASSERT_NEAR(logits[i], answers.logits[i], 2e-4 * scale) << "logit " << i;
  }
}

TEST_P(OracleTest, GreedyIdsAreThoseOfTransformers) {
  const Answers answers = answers_of(GetParam());
  const auto runner = runner_of(GetParam(), kernels::Numerics::kReference);
  ASSERT_NE(runner, nullptr);
  std::vector<float> logits = runner->feed(ids_of(kPrompt, runner->info().vocabulary), 1);
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < answers.greedy.size(); ++i) {
    ids.push_back(static_cast<TokenId>(argmax(logits)));
    logits = runner->feed(std::span(&ids.back(), 1), 1);
  }
  EXPECT_EQ(ids, answers.greedy);
}

TEST_P(OracleTest, TheExactClassIsNearAndTheSameInPieces) {
  const Answers answers = answers_of(GetParam());
  const auto runner = runner_of(GetParam(), kernels::Numerics::kExact);
  ASSERT_NE(runner, nullptr);
  const std::vector<TokenId> ids = ids_of(kPositions, runner->info().vocabulary);
  const std::vector<float> whole = runner->feed(ids, kPositions);
  EXPECT_LT(root_mean_square(difference(whole, answers.logits)),
            1e-2 * root_mean_square(answers.logits));
  runner->reset();
  std::vector<float> pieces;
  for (std::size_t at = 0, size = 1; at < kPositions; at += size++) {
    const std::size_t count = std::min(size, kPositions - at);
    const std::vector<float> piece = runner->feed(std::span(ids).subspan(at, count), count);
    pieces.insert(pieces.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(std::memcmp(whole.data(), pieces.data(), whole.size() * sizeof(float)), 0);
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, OracleTest, testing::ValuesIn(checkpoints()),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST(OraclesTest, EveryFamilyHasACheckpoint) {
  std::vector<std::string> architectures;
  for (const std::string& name : checkpoints()) {
    const auto file = formats::open_model(path_to(name, ".gguf"));
    ASSERT_TRUE(file.ok()) << file.status().message();
    architectures.emplace_back(*file->metadata().string("general.architecture"));
  }
  for (const models::Family& family : models::families()) {
    EXPECT_TRUE(std::ranges::find(architectures, family.gguf) != architectures.end())
        << family.gguf;
  }
}

TEST(OraclesTest, TheReadmeNamesEveryFamily) {
  const Result<std::string> readme = read_file(CAIRN_SOURCE_DIR "/README.md", 1 << 20);
  ASSERT_TRUE(readme.ok()) << readme.status().message();
  for (const models::Family& family : models::families()) {
    EXPECT_NE(readme->find("`" + std::string(family.gguf) + "`"), std::string::npos) << family.gguf;
  }
}

}  // namespace
}  // namespace cairn::tests
