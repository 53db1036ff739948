// Log-probabilities of a prompt beside the float32 reference's and beside a forward without engine.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/engine.h"
#include "engine/fake_forwarder.h"
#include "kernels/devices.h"
#include "tests/golden/goldens.h"
#include "tests/golden/model_runner.h"

namespace cairn::tests {
namespace {

constexpr std::size_t kTokens = 160;

/// The prompt's log-probabilities as an engine tells them that takes `logits` rows of a step.
std::shared_ptr<const engine::PromptLogprobs> told(const models::Model& model,
                                                   kernels::Device& device,
                                                   std::span<const TokenId> prompt,
                                                   std::size_t logits) {
  const engine::FakeBytes bytes(std::vector<std::string>(model.info().vocabulary, "x"));
  const auto made = engine::Engine::create(
      model, device, bytes, {.context = 2 * kTokens, .step_rows = 48, .logits_rows = logits - 1});
  EXPECT_TRUE(made.ok()) << made.status().message();
  engine::Request request{.prompt = {prompt.begin(), prompt.end()}};
  request.tokens_max = 0;
  request.prompt_logprobs = 1;
  auto stream = (*made)->submit(std::move(request));
  EXPECT_TRUE(stream.ok()) << stream.status().message();
  EXPECT_FALSE((*stream)->next().value().has_value());
  return (*stream)->prompt_logprobs();
}

double logprob_of(std::span<const float> logits, TokenId id) {
  long double sum = 0;
  const long double top = logits[argmax(logits)];
  for (const float logit : logits) sum += std::exp(static_cast<long double>(logit) - top);
  return static_cast<double>(logits[static_cast<std::size_t>(id)] - top - std::log(sum));
}

class PromptTest : public testing::TestWithParam<GoldenModel> {};

TEST_P(PromptTest, TheEngineTellsAPromptAsTheModelAndTheReferenceHaveIt) {
  const Result<GoldenKl> golden = read_kl(GetParam());
  ASSERT_TRUE(golden.ok()) << golden.status().message();
  const std::span<const TokenId> ids = std::span(golden->windows[0]).first(kTokens);
  kernels::DeviceSettings settings;
  settings.threads = 2;
  const auto device = kernels::open_device(settings);
  ASSERT_TRUE(device.ok()) << device.status().message();
  const auto file = formats::open_model(path_of(GetParam()));
  ASSERT_TRUE(file.ok()) << file.status().message();
  const auto runner = ModelRunner::create(*file, **device, 1024);
  ASSERT_TRUE(runner.ok()) << runner.status().message();
  const std::vector<float> logits = (*runner)->feed(ids.first(64), 64);
  const std::size_t vocabulary = (*runner)->info().vocabulary;

  const auto few = told((*runner)->model(), **device, ids, 3);
  const auto many = told((*runner)->model(), **device, ids, 16);
  ASSERT_EQ(few->size(), kTokens - 1);
  for (std::size_t i = 0; i < few->size(); ++i) {
    EXPECT_EQ((*few)[i].logprob, (*many)[i].logprob) << "position " << i;
    EXPECT_EQ((*few)[i].rank, (*many)[i].rank) << "position " << i;
  }
  for (std::size_t i = 0; i < 63; ++i) {
    const auto row = std::span(logits).subspan(i * vocabulary, vocabulary);
    const double expected = logprob_of(row, ids[i + 1]);
    EXPECT_NEAR((*few)[i].logprob, expected, 2e-6 * std::abs(expected)) << "position " << i;
    EXPECT_EQ((*few)[i].top[0].id, static_cast<TokenId>(argmax(row))) << "position " << i;
  }

  // Single tokens scatter by what int8 activations move a logit; on the mean they do not, and a
  // token that is told of the wrong position is several units off.
  double off = 0;
  double apart = 0;
  for (std::size_t i = 0; i < few->size(); ++i) {
    const double difference = (*few)[i].logprob - golden->next_logprob[i];
    off += difference / static_cast<double>(few->size());
    apart += std::abs(difference) / static_cast<double>(few->size());
  }
  std::printf("%s: log-probabilities of a prompt's %zu tokens: %.4f from float32, %.4f apart\n",
              GetParam().name.c_str(), few->size(), off, apart);
  EXPECT_LT(std::abs(off), 0.05);
  EXPECT_LT(apart, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Models, PromptTest, testing::ValuesIn(golden_models()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace cairn::tests
