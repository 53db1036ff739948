// The exact class gives the same bits on every machine: a greedy answer's ids and logits against a
// committed hash. The hash says nothing about correctness, which the other golden tests show.
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "base/json.h"
#include "base/sha256.h"
#include "tests/golden/goldens.h"
#include "tests/golden/model_runner.h"

namespace cairn::tests {
namespace {

constexpr std::size_t kSteps = 64;

struct Hashes {
  std::string ids = {};     // of the ids as little-endian u32
  std::string logits = {};  // of every step's logits as little-endian f32
};

/// A greedy answer of kSteps ids.
Hashes hashes_of(ModelRunner& runner, std::span<const TokenId> prompt) {
  Sha256 ids;
  Sha256 all_logits;
  std::vector<float> logits = runner.feed(prompt, 1);
  for (std::size_t step = 0; step < kSteps; ++step) {
    all_logits.update(std::as_bytes(std::span<const float>(logits)));
    const auto id = static_cast<TokenId>(argmax(logits));
    ids.update(std::as_bytes(std::span(&id, 1)));
    logits = runner.feed(std::span(&id, 1), 1);
  }
  return {.ids = ids.hex(), .logits = all_logits.hex()};
}

Json committed_hashes(const GoldenModel& model) {
  const Result<std::string> text =
      read_file(CAIRN_SOURCE_DIR "/tests/oracle/goldens/exact-hashes.json", 1 << 20);
  EXPECT_TRUE(text.ok()) << text.status().message();
  const Result<Json> all = parse_json(text.ok() ? *text : "{}");
  EXPECT_TRUE(all.ok()) << all.status().message();
  return all.ok() ? all->value(model.name, Json::object()) : Json::object();
}

class HashTest : public testing::TestWithParam<GoldenModel> {};

TEST_P(HashTest, AGreedyAnswerHasTheCommittedIdsAndLogits) {
  const Result<std::vector<GoldenPrompt>> prompts = read_prompts(GetParam());
  ASSERT_TRUE(prompts.ok()) << prompts.status().message();
  const auto runner = ModelRunner::create(path_of(GetParam()), {});
  ASSERT_TRUE(runner.ok()) << runner.status().message();
  const Hashes hashes = hashes_of(**runner, prompts->front().prompt_ids);
  const Json committed = committed_hashes(GetParam());
  EXPECT_EQ(hashes.ids, committed.value("ids", ""));
  EXPECT_EQ(hashes.logits, committed.value("logits", ""));
}

INSTANTIATE_TEST_SUITE_P(Models, HashTest, testing::ValuesIn(golden_models()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace cairn::tests
