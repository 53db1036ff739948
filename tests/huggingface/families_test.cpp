// Folders of every family against the GGUF files that llama.cpp's converter made of the same
// checkpoints, which tests/models holds to transformers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/golden/model_runner.h"

namespace cairn::tests {
namespace {

class FamilyFolderTest : public testing::TestWithParam<std::string> {};

/// Logits of 48 ids, [48, vocabulary].
std::vector<float> logits_at(const std::string& path) {
  const auto runner = ModelRunner::create(path, {.positions = 64});
  EXPECT_TRUE(runner.ok()) << runner.status().message();
  if (!runner.ok()) return {};
  std::vector<TokenId> ids;
  for (TokenId i = 0; i < 48; ++i) ids.push_back((37 * i + 11) % 96);
  return (*runner)->feed(ids, ids.size());
}

TEST_P(FamilyFolderTest, GivesTheBitsOfTheFileThatTheConverterMade) {
  const std::vector<float> of_file =
      logits_at(CAIRN_SOURCE_DIR "/tests/oracle/families/" + GetParam() + ".gguf");
  ASSERT_FALSE(of_file.empty());
  EXPECT_EQ(logits_at(CAIRN_SOURCE_DIR "/tests/huggingface/families/" + GetParam()), of_file);
}

INSTANTIATE_TEST_SUITE_P(Folders, FamilyFolderTest,
                         testing::Values("llama", "llama-yarn", "mistral", "qwen2", "qwen3",
                                         "gemma", "gemma2", "gemma3", "phi3", "phi4-mini",
                                         "smollm3", "seed-oss", "ernie4.5", "exaone4", "granite",
                                         "olmo2", "olmo3", "hunyuan-dense"),
                         [](const auto& folder) {
                           std::string name = folder.param;
                           for (char& c : name) c = c == '-' || c == '.' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace cairn::tests
