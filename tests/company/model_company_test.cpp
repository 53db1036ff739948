// The same answer in any company, on a real model: company on two threads, alone on one.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "engine/fake_forwarder.h"
#include "formats/model_file.h"
#include "kernels/devices.h"
#include "kernels/tiers.h"
#include "models/decoder.h"
#include "tests/company/company.h"

namespace cairn::engine {
namespace {

constexpr std::size_t kContext = 160;

/// A model on a device of its own, and an engine on both.
struct Opened {
  std::unique_ptr<kernels::Device> device = {};
  std::unique_ptr<models::Model> model = {};
  std::unique_ptr<FakeBytes> bytes = {};
  std::unique_ptr<Engine> engine = {};
};

Result<Opened> open(const std::string& path, std::size_t threads, const EngineOptions& options,
                    const std::string& isa = "auto") {
  Opened opened;
  CAIRN_ASSIGN(const formats::ModelFile file, formats::open_model(path));
  kernels::DeviceSettings settings;
  settings.threads = threads;
  settings.isa = isa;
  CAIRN_ASSIGN(opened.device, kernels::open_device(settings));
  CAIRN_ASSIGN(opened.model, models::Model::load(file, *opened.device, {}));
  const std::vector<std::string> letters = {"a", "b", "c", "q", ""};
  std::vector<std::string> pieces;
  for (std::size_t id = 0; id < opened.model->info().vocabulary; ++id) {
    pieces.push_back(letters[id % letters.size()]);
  }
  opened.bytes = std::make_unique<FakeBytes>(pieces);
  CAIRN_ASSIGN(opened.engine,
               Engine::create(*opened.model, *opened.device, *opened.bytes, options));
  return opened;
}

void keep_company_on(const std::string& name) {
  const std::string path = std::string(CAIRN_TEST_DATA_DIR) + "/" + name;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " was not fetched";
  auto many = open(path, 2,
                   {.context = kContext,
                    .step_rows = 48,
                    .sequences = 4,
                    .pages = 8,
                    .lookup = {.tokens_max = 6}});
  ASSERT_TRUE(many.ok()) << many.status().message();
  auto alone = open(path, 1, {.context = kContext, .step_rows = kContext});
  ASSERT_TRUE(alone.ok()) << alone.status().message();
  const CompanyShape shape = {.vocabulary = many->model->info().vocabulary,
                              .context = kContext,
                              .prompt_max = 100,
                              .answer_max = 16,
                              .requests = 6};
  Draws draw(1);
  EXPECT_EQ(keep_company(*many->engine, *alone->engine, draw, shape), "");

  // A prompt that is found in the cache, with answers that share its last page.
  Request request{.prompt = std::vector<TokenId>(70, 11), .sampling = {.temperature = 1}};
  request.tokens_max = 8;
  request.logprobs = 2;
  (void)hear_alone(*many->engine, request, 0);
  auto streams = many->engine->submit(request, 2);
  ASSERT_TRUE(streams.ok()) << streams.status().message();
  for (std::size_t choice = 0; choice < 2; ++choice) {
    Heard heard;
    while (heard.take((*streams)[choice]->next())) {
    }
    heard.reason = (*streams)[choice]->finish_reason();
    EXPECT_EQ(heard.differs(hear_alone(*alone->engine, request, choice)), "");
  }

  // A prompt that goes in circles, so that guesses are right.
  request.prompt.clear();
  for (TokenId id = 0; id < 60; ++id) request.prompt.push_back(100 + id % 6);
  request.sampling.temperature = 0;
  request.tokens_max = 40;
  EXPECT_EQ(hear_alone(*many->engine, request, 0).differs(hear_alone(*alone->engine, request, 0)),
            "");
  const EngineFigures figures = many->engine->figures();
  EXPECT_GT(figures.drafts->accepted, 10U);
  EXPECT_GE(figures.cache.hit_tokens, 64U);
  EXPECT_GT(figures.cache.copied_pages, 0U);
}

/// Company on one tier beside each request alone on the best one.
class TierCompanyTest : public testing::TestWithParam<kernels::Tier> {};

TEST_P(TierCompanyTest, EveryRequestGetsTheAnswerItGetsAloneOnTheBestTier) {
  const std::string path = CAIRN_TEST_DATA_DIR "/SmolLM2-135M-Instruct.Q4_1.gguf";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " was not fetched";
  const std::string isa(GetParam().name);
  if (!GetParam().usable()) GTEST_SKIP() << isa << " is not a tier of this machine";
  auto many =
      open(path, 2, {.context = kContext, .step_rows = 24, .sequences = 3, .pages = 6}, isa);
  ASSERT_TRUE(many.ok()) << many.status().message();
  auto alone = open(path, 1, {.context = kContext, .step_rows = kContext});
  ASSERT_TRUE(alone.ok()) << alone.status().message();
  const CompanyShape shape = {.vocabulary = many->model->info().vocabulary,
                              .context = kContext,
                              .prompt_max = 40,
                              .answer_max = 8,
                              .requests = 4};
  Draws draw(2);
  EXPECT_EQ(keep_company(*many->engine, *alone->engine, draw, shape), "");
}

INSTANTIATE_TEST_SUITE_P(Tiers, TierCompanyTest, testing::ValuesIn(kernels::tiers()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(ModelCompanyTest, SmolLM2GivesEveryRequestTheAnswerItGetsAlone) {
  keep_company_on("SmolLM2-135M-Instruct.Q4_1.gguf");
}

TEST(ModelCompanyTest, Gemma3GivesEveryRequestTheAnswerItGetsAlone) {
  keep_company_on("gemma-3-270m-q4_k_m.gguf");
}

}  // namespace
}  // namespace cairn::engine
