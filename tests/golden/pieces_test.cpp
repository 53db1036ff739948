// The same bits however a prompt is cut and however many threads compute it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/golden/goldens.h"
#include "tests/golden/model_runner.h"

namespace cairn::tests {
namespace {

/// Logits of the last id of `ids`, fed in pieces of `piece`.
std::vector<float> logits_in_pieces(ModelRunner& runner, std::span<const TokenId> ids,
                                    std::size_t piece) {
  runner.reset();
  std::vector<float> logits;
  for (std::size_t at = 0; at < ids.size(); at += piece) {
    const std::size_t count = std::min(piece, ids.size() - at);
    const bool last = at + count == ids.size();
    logits = runner.feed(ids.subspan(at, count), last ? 1 : 0);
  }
  return logits;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// About 70 ids: longer than the largest piece and than two pages.
std::vector<TokenId> some_ids(const GoldenModel& model) {
  const Result<std::vector<GoldenPrompt>> prompts = read_prompts(model);
  EXPECT_TRUE(prompts.ok()) << prompts.status().message();
  if (!prompts.ok()) return {};
  std::vector<TokenId> ids = prompts->front().forced();
  for (std::size_t i = 0; ids.size() < 70; ++i) ids.push_back(ids[i]);
  ids.resize(70);
  return ids;
}

class PiecesTest : public testing::TestWithParam<GoldenModel> {};

TEST_P(PiecesTest, PiecesAndThreadsGiveTheSameBits) {
  const std::vector<TokenId> ids = some_ids(GetParam());
  ASSERT_FALSE(ids.empty());
  std::vector<float> expected;
  for (const std::size_t threads : {2, 1}) {
    const auto runner = ModelRunner::create(path_of(GetParam()), {.threads = threads});
    ASSERT_TRUE(runner.ok()) << runner.status().message();
    for (const std::size_t piece : {ids.size(), std::size_t{64}, std::size_t{7}, std::size_t{1}}) {
      const std::vector<float> logits = logits_in_pieces(**runner, ids, piece);
      if (expected.empty()) expected = logits;
      EXPECT_TRUE(same_bits(logits, expected)) << threads << " threads, pieces of " << piece;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, PiecesTest, testing::ValuesIn(golden_models()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace cairn::tests
