// Tiny models of every family, run: against an independent forward in f64, and with bad weights.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/cpu/cpu_device.h"
#include "tests/fake_device/fake_device.h"
#include "tests/golden/model_runner.h"
#include "tests/models/naive_forward.h"
#include "tests/models/tiny_model.h"

namespace cairn::tests {
namespace {

std::vector<TokenId> some_ids(std::size_t count) {
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(static_cast<TokenId>((i * 37 + 11) % 100));
  return ids;
}

std::unique_ptr<kernels::Device> cpu(kernels::Numerics numerics) {
  auto device = kernels::CpuDevice::create({.threads = 2, .numerics = numerics});
  CAIRN_CHECK(device.ok());
  return std::move(device).value();
}

std::vector<float> logits_on(kernels::Device& device, const TinyModel& tiny) {
  const OpenModel opened = open(tiny);
  const auto runner = ModelRunner::create(*opened.file, device, 64);
  EXPECT_TRUE(runner.ok()) << runner.status().message();
  return runner.ok() ? (*runner)->feed(some_ids(40), 40) : std::vector<float>();
}

std::vector<float> logits_of(const TinyModel& tiny, kernels::Numerics numerics) {
  return logits_on(*cpu(numerics), tiny);
}

/// Largest difference over the root mean square of `expected`.
double error(const std::vector<float>& got, const std::vector<double>& expected) {
  double worst = 0;
  double squares = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(got[i]) - expected[i]));
    squares += expected[i] * expected[i];
  }
  return worst / std::sqrt(squares / static_cast<double>(expected.size()));
}

void expect_like_naive(const TinyModel& tiny) {
  const std::vector<float> got = logits_of(tiny, kernels::Numerics::kReference);
  const std::vector<double> expected = naive_logits(tiny, some_ids(40));
  ASSERT_EQ(got.size(), expected.size());
  EXPECT_LT(error(got, expected), 1e-4);
}

TEST(ForwardTest, LlamaEqualsAForwardWrittenApart) { expect_like_naive(tiny_llama()); }

TEST(ForwardTest, Gemma3EqualsAForwardWrittenApart) {
  expect_like_naive(tiny_gemma3({.layers = 7}));
}

TEST(ForwardTest, LlamaUsesFrequencyFactorsBiasesWindowAndAnUntiedHead) {
  TinyModel tiny = tiny_llama();
  tiny.add("rope_freqs.weight", {16}, 0.9f, 2);
  tiny.add("blk.0.attn_q.bias", {128}, 0.5f);
  tiny.add("blk.1.attn_output.bias", {64}, 0.5f);
  tiny.add("blk.1.ffn_up.bias", {96}, 0.5f);
  tiny.add("output.weight", {64, 100}, 0.5f);
  tiny.metadata.set("llama.attention.sliding_window", std::uint32_t{8});
  tiny.metadata.set("llama.rope.freq_base", 500000.0f);
  expect_like_naive(tiny);
}

TEST(ForwardTest, Gemma3ScalesTheRotationOfGlobalLayersOnly) {
  TinyModel tiny = tiny_gemma3({.layers = 3});
  tiny.metadata.set("gemma3.attention.sliding_window_pattern", std::uint32_t{2});
  tiny.metadata.set("gemma3.rope.scaling.type", std::string("linear"));
  tiny.metadata.set("gemma3.rope.scaling.factor", 8.0f);
  tiny.metadata.set("gemma3.final_logit_softcapping", 3.0f);
  expect_like_naive(tiny);
}

// An address that models/ followed itself would end the program here.
TEST(ForwardTest, EveryFamilyGivesTheSameBitsOnADeviceWithProtectedAddresses) {
  for (const TinyModel& tiny : {tiny_llama(), tiny_gemma3()}) {
    auto fake = cairn::testing::create_fake_device();
    ASSERT_TRUE(fake.ok()) << fake.status().message();
    EXPECT_EQ(logits_on(**fake, tiny), logits_of(tiny, kernels::Numerics::kExact));
  }
}

// P11: weights that are not finite give logits that are not finite, and nothing else breaks.
TEST(ForwardTest, P11ANaNInTheFinalNormReachesTheLogitsAndCrashesNothing) {
  for (const kernels::Numerics numerics :
       {kernels::Numerics::kExact, kernels::Numerics::kReference}) {
    TinyModel tiny = tiny_llama();
    tiny.tensor("output_norm.weight").values[3] = std::numeric_limits<float>::quiet_NaN();
    for (const float logit : logits_of(tiny, numerics)) ASSERT_TRUE(std::isnan(logit));
  }
}

TEST(ForwardTest, AnInfiniteEmbeddingSpoilsOnlyRowsThatAttendToIt) {
  TinyModel tiny = tiny_llama();
  const std::vector<TokenId> ids = some_ids(40);
  const auto bad = static_cast<std::size_t>(ids[20]);
  tiny.tensor("token_embd.weight").values[bad * 64] = std::numeric_limits<float>::infinity();
  tiny.add("output.weight", {64, 100}, 0.5f);
  const std::vector<float> logits = logits_of(tiny, kernels::Numerics::kExact);
  ASSERT_EQ(logits.size(), 40U * 100);
  EXPECT_TRUE(std::isfinite(logits[19UL * 100]));
  EXPECT_FALSE(std::isfinite(logits[20UL * 100]));
}

}  // namespace
}  // namespace cairn::tests
