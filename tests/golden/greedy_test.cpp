// Greedy ids against the float32 reference, teacher-forced: when every step's argmax is the golden
// id, so is every id of a greedy run.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

#include "tests/golden/goldens.h"
#include "tests/golden/model_runner.h"

namespace cairn::tests {
namespace {

constexpr double kGapMax = 0.5;  // logits of the reference between its id and the next

struct Change {
  std::string prompt;
  std::size_t step = 0;
  TokenId expected = 0;
  TokenId got = 0;
  double gap = 0;
};

/// Steps of `prompt` whose argmax is not the golden id.
void append_changes(ModelRunner& runner, const GoldenPrompt& prompt, std::vector<Change>& changes) {
  runner.reset();
  const std::vector<float> logits = runner.feed(prompt.forced(), prompt.ids.size());
  const std::size_t vocabulary = runner.info().vocabulary;
  for (std::size_t step = 0; step < prompt.ids.size(); ++step) {
    const auto row = std::span(logits).subspan(step * vocabulary, vocabulary);
    const auto got = static_cast<TokenId>(argmax(row));
    if (got == prompt.ids[step]) continue;
    changes.push_back(
        {prompt.name, step, prompt.ids[step], got, static_cast<double>(prompt.gap[step])});
    std::printf("  %s step %zu: %d became %d, reference gap %.4f\n", prompt.name.c_str(), step,
                prompt.ids[step], got, static_cast<double>(prompt.gap[step]));
  }
}

/// Which prompts to run: the reference class reads a few tokens a second on two cores, and long
/// prompts hold half of all tokens.
struct Choice {
  std::size_t ids_max = SIZE_MAX;
  std::size_t stride = 1;
};

constexpr Choice kAll = {};
constexpr Choice kFewShort = {.ids_max = 100, .stride = 6};

std::vector<GoldenPrompt> chosen(std::vector<GoldenPrompt> prompts, const Choice& choice) {
  EXPECT_EQ(prompts.size(), 24U);
  std::vector<GoldenPrompt> kept;
  for (std::size_t i = 0; i < prompts.size(); i += choice.stride) {
    const std::size_t count = prompts[i].prompt_ids.size();
    if (count <= choice.ids_max) kept.push_back(std::move(prompts[i]));
  }
  EXPECT_FALSE(kept.empty());
  return kept;
}

/// Runs the chosen prompts of `model`.
std::vector<Change> changes_of(const GoldenModel& model, kernels::Numerics numerics,
                               const Choice& choice) {
  std::vector<Change> changes;
  Result<std::vector<GoldenPrompt>> prompts = read_prompts(model);
  const auto runner = ModelRunner::create(path_of(model), {.numerics = numerics});
  EXPECT_TRUE(prompts.ok()) << prompts.status().message();
  EXPECT_TRUE(runner.ok()) << runner.status().message();
  if (!prompts.ok() || !runner.ok()) return changes;
  std::size_t steps = 0;
  for (const GoldenPrompt& prompt : chosen(std::move(*prompts), choice)) {
    append_changes(**runner, prompt, changes);
    steps += prompt.ids.size();
  }
  const double share = static_cast<double>(changes.size()) / static_cast<double>(steps);
  std::printf("%s: %zu of %zu steps change (%.2f %%)\n", model.name.c_str(), changes.size(), steps,
              100 * share);
  EXPECT_LE(share, numerics == kernels::Numerics::kReference ? 0 : model.changed_share_max);
  return changes;
}

class GreedyTest : public testing::TestWithParam<GoldenModel> {};

void expect_near_ties(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    EXPECT_LE(change.gap, kGapMax) << change.prompt << " step " << change.step;
  }
}

TEST_P(GreedyTest, TheReferenceClassGivesTheGoldenIdsOfAFewShortPrompts) {
  EXPECT_TRUE(changes_of(GetParam(), kernels::Numerics::kReference, kFewShort).empty());
}

TEST_P(GreedyTest, TheExactClassChangesOnlyNearTiesOfEveryPrompt) {
  expect_near_ties(changes_of(GetParam(), kernels::Numerics::kExact, kAll));
}

// Minutes long: run with --gtest_also_run_disabled_tests.
TEST_P(GreedyTest, DISABLED_TheReferenceClassGivesTheGoldenIdsOfEveryPrompt) {
  EXPECT_TRUE(changes_of(GetParam(), kernels::Numerics::kReference, kAll).empty());
}

INSTANTIATE_TEST_SUITE_P(Models, GreedyTest, testing::ValuesIn(golden_models()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace cairn::tests
