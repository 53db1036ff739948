// KL divergence from the float32 reference on committed text (tests/oracle/README.md says how it
// is estimated).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "kernels/tiers.h"
#include "tests/golden/goldens.h"
#include "tests/golden/model_runner.h"

namespace cairn::tests {
namespace {

double log_sum_exp(std::span<const float> logits) {
  const auto largest = static_cast<double>(logits[argmax(logits)]);
  double sum = 0;
  for (const float z : logits) sum += std::exp(static_cast<double>(z) - largest);
  return largest + std::log(sum);
}

/// KL(P || Q) of one row, from the engine's logits.
double kl_of_row(const GoldenKl& golden, std::size_t row, std::span<const float> logits) {
  const double normaliser = log_sum_exp(logits);
  const auto lq = [&](std::uint32_t id) { return static_cast<double>(logits[id]) - normaliser; };
  const auto ids = std::span(golden.top_id).subspan(row * golden.top, golden.top);
  const auto lps = std::span(golden.top_logprob).subspan(row * golden.top, golden.top);
  std::vector<bool> in_top(logits.size());
  for (const std::uint32_t id : ids) in_top[id] = true;
  double q_tail = 0;
  for (std::uint32_t id = 0; id < logits.size(); ++id) {
    if (!in_top[id]) q_tail += std::exp(lq(id));
  }
  const auto log_tail = static_cast<double>(golden.tail_log_mass[row]);
  double mass = std::exp(log_tail);
  for (const float lp : lps) mass += std::exp(static_cast<double>(lp));
  const double c = std::log(mass);
  double kl = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const double lp = static_cast<double>(lps[i]) - c;
    kl += std::exp(lp) * (lp - lq(ids[i]));
  }
  const double tail = std::exp(log_tail - c);
  kl += tail * (log_tail - c - std::log(q_tail));
  double hidden = 0;
  for (std::size_t s = 0; s < golden.samples; ++s) {
    const std::size_t at = row * golden.samples + s;
    const double x = lq(golden.sample_id[at]) - std::log(q_tail) -
                     (static_cast<double>(golden.sample_logprob[at]) - log_tail);
    hidden += std::expm1(x) - x;
  }
  if (golden.samples > 0) kl += tail * hidden / static_cast<double>(golden.samples);
  return kl;
}

/// Mean over the first `windows_max` windows; printed.
double mean_kl(const GoldenModel& model, kernels::Numerics numerics, std::size_t windows_max) {
  const Result<GoldenKl> golden = read_kl(model);
  const auto runner = ModelRunner::create(path_of(model), {.numerics = numerics});
  EXPECT_TRUE(golden.ok()) << golden.status().message();
  EXPECT_TRUE(runner.ok()) << runner.status().message();
  if (!golden.ok() || !runner.ok()) return INFINITY;
  const std::size_t vocabulary = (*runner)->info().vocabulary;
  double sum = 0;
  std::size_t row = 0;
  for (std::size_t w = 0; w < std::min(windows_max, golden->windows.size()); ++w) {
    const std::span<const TokenId> ids = golden->windows[w];
    (*runner)->reset();
    for (std::size_t at = 0; at < ids.size(); at += 64) {
      const auto piece = ids.subspan(at, std::min<std::size_t>(64, ids.size() - at));
      const std::vector<float> logits = (*runner)->feed(piece, piece.size());
      for (std::size_t i = 0; i < piece.size(); ++i, ++row) {
        sum += kl_of_row(*golden, row, std::span(logits).subspan(i * vocabulary, vocabulary));
      }
    }
  }
  const double mean = sum / static_cast<double>(row);
  std::printf("%s: mean KL divergence from float32 over %zu positions, %s class: %.6f\n",
              model.name.c_str(), row,
              numerics == kernels::Numerics::kReference ? "reference" : "exact", mean);
  return mean;
}

/// KL(P || Q) of the softmax of two rows of logits.
double kl_between(std::span<const float> p, std::span<const float> q) {
  const double p_normaliser = log_sum_exp(p);
  const double q_normaliser = log_sum_exp(q);
  double kl = 0;
  for (std::size_t id = 0; id < p.size(); ++id) {
    const double lp = static_cast<double>(p[id]) - p_normaliser;
    kl += std::exp(lp) * (lp - (static_cast<double>(q[id]) - q_normaliser));
  }
  return kl;
}

/// Mean of KL(bf16 || int8), the caches of one class, over the first `windows_max` windows and the
/// first `positions_max` positions of each; printed.
double mean_kl_of_int8(const GoldenModel& model, kernels::Numerics numerics,
                       std::size_t windows_max, std::size_t positions_max = SIZE_MAX) {
  const auto with_cache = [&](kernels::CacheType cache) {
    return ModelRunner::create(path_of(model), {.numerics = numerics, .cache = cache});
  };
  const Result<GoldenKl> golden = read_kl(model);
  const auto wide = with_cache(kernels::CacheType::kBf16);
  const auto narrow = with_cache(kernels::CacheType::kInt8);
  EXPECT_TRUE(golden.ok() && wide.ok() && narrow.ok());
  if (!golden.ok() || !wide.ok() || !narrow.ok()) return INFINITY;
  const std::size_t vocabulary = (*wide)->info().vocabulary;
  double sum = 0;
  std::size_t rows = 0;
  for (std::size_t w = 0; w < std::min(windows_max, golden->windows.size()); ++w) {
    const std::span<const TokenId> window = golden->windows[w];
    const std::span<const TokenId> ids = window.first(std::min(positions_max, window.size()));
    (*wide)->reset();
    (*narrow)->reset();
    for (std::size_t at = 0; at < ids.size(); at += 64) {
      const auto piece = ids.subspan(at, std::min<std::size_t>(64, ids.size() - at));
      const std::vector<float> p = (*wide)->feed(piece, piece.size());
      const std::vector<float> q = (*narrow)->feed(piece, piece.size());
      for (std::size_t i = 0; i < piece.size(); ++i, ++rows) {
        sum += kl_between(std::span(p).subspan(i * vocabulary, vocabulary),
                          std::span(q).subspan(i * vocabulary, vocabulary));
      }
    }
  }
  const double mean = sum / static_cast<double>(rows);
  std::printf(
      "%s: mean KL divergence of an int8 cache from a bf16 one over %zu positions, %s "
      "class: %.6f\n",
      model.name.c_str(), rows, kernels::numerics_name(numerics).data(), mean);
  return mean;
}

/// 1.1 times what llama.cpp's mean is on the same windows (limits.json says how it was measured).
double exact_limit(const GoldenModel& model) {
  const Result<std::string> text =
      read_file(CAIRN_SOURCE_DIR "/tests/oracle/goldens/limits.json", 1 << 20);
  EXPECT_TRUE(text.ok()) << text.status().message();
  if (!text.ok()) return 0;
  const Result<Json> limits = parse_json(*text);
  EXPECT_TRUE(limits.ok()) << limits.status().message();
  if (!limits.ok()) return 0;
  const Json& means = (*limits)[model.name]["kl_window_means"];
  double sum = 0;
  for (const Json& mean : means) sum += mean.get<double>();
  return 1.1 * sum / static_cast<double>(means.size());
}

class KlTest : public testing::TestWithParam<GoldenModel> {};

TEST_P(KlTest, TheExactClassStaysAsCloseAsTheLimit) {
  EXPECT_LT(mean_kl(GetParam(), kernels::Numerics::kExact, SIZE_MAX), exact_limit(GetParam()));
}

TEST_P(KlTest, TheReferenceClassIsAsGoodAsEqual) {
  EXPECT_LT(mean_kl(GetParam(), kernels::Numerics::kReference, 1), 1e-4);
}

/// What an int8 cache may cost on the whole text.
constexpr double kInt8KlMax = 0.005;

// In the exact class a change of any size turns over roundings of activations, which the mean then
// counts (docs/numerics.md): a coarse scale shows as more than three times the limit.
TEST_P(KlTest, AnInt8CacheStaysNearABf16One) {
  const double mean = mean_kl_of_int8(GetParam(), kernels::Numerics::kExact, 1);
  EXPECT_LT(mean, 3 * kInt8KlMax);
  EXPECT_GT(mean, 0) << "the int8 cache was not used";
}

// In the reference class nothing but the cache differs.
TEST_P(KlTest, AnInt8CacheByItselfStaysCloseToABf16One) {
  const double mean = mean_kl_of_int8(GetParam(), kernels::Numerics::kReference, 1, 64);
  EXPECT_LT(mean, kInt8KlMax);
  EXPECT_GT(mean, 0) << "the int8 cache was not used";
}
TEST_P(KlTest, DISABLED_AnInt8CacheByItselfStaysCloseToABf16OneOnTheWholeText) {
  EXPECT_LT(mean_kl_of_int8(GetParam(), kernels::Numerics::kReference, SIZE_MAX), kInt8KlMax);
}
// Only printed: Gemma's is more than the limit.
TEST_P(KlTest, DISABLED_AnInt8CacheInTheExactClassOnTheWholeText) {
  EXPECT_LT(mean_kl_of_int8(GetParam(), kernels::Numerics::kExact, SIZE_MAX), 3 * kInt8KlMax);
}

// Many minutes long: run with --gtest_also_run_disabled_tests.
TEST_P(KlTest, DISABLED_TheReferenceClassIsAsGoodAsEqualOnTheWholeText) {
  EXPECT_LT(mean_kl(GetParam(), kernels::Numerics::kReference, SIZE_MAX), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Models, KlTest, testing::ValuesIn(golden_models()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace cairn::tests
