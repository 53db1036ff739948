// Every family against transformers: tiny random checkpoints (tests/oracle/families.py says how
// they and their answers are made).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "models/registry.h"
#include "tests/fake_device/fake_device.h"
#include "tests/golden/model_runner.h"
#include "tests/models/checkpoints.h"

namespace cairn::tests {
namespace {

std::unique_ptr<ModelRunner> runner_of(const std::string& name, kernels::Numerics numerics) {
  auto runner = ModelRunner::create(checkpoint_file(name), {.numerics = numerics});
  EXPECT_TRUE(runner.ok()) << runner.status().message();
  return runner.ok() ? std::move(runner).value() : nullptr;
}

class OracleTest : public ::testing::TestWithParam<std::string> {};

TEST_P(OracleTest, TheReferenceClassEqualsTransformers) {
  const Answers answers = answers_of(GetParam());
  const auto runner = runner_of(GetParam(), kernels::Numerics::kReference);
  ASSERT_NE(runner, nullptr);
  const std::vector<float> logits = runner->feed(
      checkpoint_ids(kCheckpointPositions, runner->info().vocabulary), kCheckpointPositions);
  ASSERT_EQ(logits.size(), answers.logits.size());
  const double scale = root_mean_square(answers.logits);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    ASSERT_NEAR(logits[i], answers.logits[i], kReferenceTolerance * scale) << "logit " << i;
  }
}

TEST_P(OracleTest, GreedyIdsAreThoseOfTransformers) {
  const Answers answers = answers_of(GetParam());
  const auto runner = runner_of(GetParam(), kernels::Numerics::kReference);
  ASSERT_NE(runner, nullptr);
  std::vector<float> logits =
      runner->feed(checkpoint_ids(kCheckpointPrompt, runner->info().vocabulary), 1);
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < answers.greedy.size(); ++i) {
    ids.push_back(static_cast<TokenId>(argmax(logits)));
    logits = runner->feed(std::span(&ids.back(), 1), 1);
  }
  EXPECT_EQ(ids, answers.greedy);
}

/// Logits of all ids, fed one, then two, then three at a time and so on.
std::vector<float> feed_in_pieces(ModelRunner& runner, std::span<const TokenId> ids) {
  std::vector<float> logits;
  for (std::size_t at = 0, size = 1; at < ids.size(); at += size++) {
    const std::size_t count = std::min(size, ids.size() - at);
    const std::vector<float> piece = runner.feed(ids.subspan(at, count), count);
    logits.insert(logits.end(), piece.begin(), piece.end());
  }
  return logits;
}

TEST_P(OracleTest, TheExactClassIsNearAndTheSameInPieces) {
  const Answers answers = answers_of(GetParam());
  const auto runner = runner_of(GetParam(), kernels::Numerics::kExact);
  ASSERT_NE(runner, nullptr);
  const std::vector<TokenId> ids = checkpoint_ids(kCheckpointPositions, runner->info().vocabulary);
  const std::vector<float> whole = runner->feed(ids, kCheckpointPositions);
  EXPECT_LT(root_mean_square(difference(whole, answers.logits)),
            1e-2 * root_mean_square(answers.logits));
  runner->reset();
  const std::vector<float> pieces = feed_in_pieces(*runner, ids);
  ASSERT_EQ(whole.size(), pieces.size());
  EXPECT_EQ(std::memcmp(whole.data(), pieces.data(), whole.size() * sizeof(float)), 0);
}

// An address that models/ followed itself would end the program here.
TEST_P(OracleTest, ADeviceWithProtectedAddressesGivesTheSameBytes) {
  const auto file = formats::open_model(checkpoint_file(GetParam()));
  ASSERT_TRUE(file.ok()) << file.status().message();
  const auto fake = cairn::testing::create_fake_device();
  ASSERT_TRUE(fake.ok()) << fake.status().message();
  const auto protected_runner = ModelRunner::create(*file, **fake, kCheckpointPositions);
  ASSERT_TRUE(protected_runner.ok()) << protected_runner.status().message();
  const auto runner = runner_of(GetParam(), kernels::Numerics::kExact);
  ASSERT_NE(runner, nullptr);
  const std::vector<TokenId> ids = checkpoint_ids(kCheckpointPositions, runner->info().vocabulary);
  EXPECT_EQ((*protected_runner)->feed(ids, kCheckpointPositions),
            runner->feed(ids, kCheckpointPositions));
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, OracleTest, ::testing::ValuesIn(checkpoints()),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST(OraclesTest, EveryFamilyHasACheckpoint) {
  std::vector<std::string> architectures;
  for (const std::string& name : checkpoints()) {
    const auto file = formats::open_model(checkpoint_file(name));
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
