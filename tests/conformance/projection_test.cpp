// Every tier, format, epilogue and batch size gives the bits of the definition (docs/numerics.md);
// longer than usual because it is one table of cases.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <memory>
#include <string>

#include "kernels/cpu/cpu_device.h"
#include "kernels/tiers.h"
#include "tests/conformance/definition.h"
#include "tests/conformance/tier_test.h"

namespace cairn::conformance {
namespace {

using kernels::Activation;
using kernels::Device;
using kernels::Epilogue;
using kernels::Numerics;
using kernels::Project;
using kernels::WeightSegment;

constexpr std::size_t kTokensMax = 128;
constexpr std::size_t kBatches[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,  11, 12,
                                    13, 14, 15, 16, 17, 31, 32, 33, 64, 127, 128};

std::unique_ptr<Device> open(const std::string& isa, std::size_t threads,
                             Numerics numerics = Numerics::kExact) {
  std::unique_ptr<Device> device = open_tier(isa, {.threads = threads, .numerics = numerics});
  EXPECT_TRUE(device->reserve_scratch(kTokensMax, 1024).ok());
  return device;
}

/// Ordinary rows, and rows with zeros, subnormal, huge and non-finite values.
std::vector<float> hostile_rows(std::size_t cols) {
  std::vector<float> x = random_values(kTokensMax * cols, 11);
  const auto scale = [&](std::size_t t, float by) {
    for (std::size_t k = 0; k < cols; ++k) x[t * cols + k] *= by;
  };
  scale(3, 0);
  scale(5, 0x1p-122F);
  scale(6, 0x1p-140F);
  scale(9, 0x1p120F);
  scale(12, 0x1p-60F);
  x[2 * cols + 1] = 1000;  // the rest of its block becomes small integers
  x[14 * cols + 2] = std::numeric_limits<float>::infinity();
  x[16 * cols + 3] = std::numeric_limits<float>::quiet_NaN();
  return x;
}

struct Expected {
  Weight weight = {};
  std::vector<float> x = {};               // [kTokensMax, cols]
  std::vector<std::vector<float>> y = {};  // per token
};

std::size_t cols_of(ElementType type) {
  const std::size_t block = info(type).block_values;
  if (block == 1) return 301;
  return block == 32 ? 160 : 2 * block;
}

/// Computed once per format: a token's result does not depend on the batch.
const Expected& expected(ElementType type) {
  static std::map<ElementType, Expected> cases;
  auto [at, fresh] = cases.try_emplace(type);
  if (!fresh) return at->second;
  Expected& made = at->second;
  made.weight = random_weight(type, 2UL * 19, cols_of(type), 5);
  made.x = hostile_rows(made.weight.cols);
  for (std::size_t t = 0; t < kTokensMax; ++t) {
    made.y.push_back(project_row(
        made.weight, std::span(made.x).subspan(t * made.weight.cols, made.weight.cols)));
  }
  return made;
}

struct Case {
  std::string tier;
  ElementType type = ElementType::kF32;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& tier : tier_and_model_names()) {
    for (const ElementType type : weight_types()) all.push_back({tier, type});
  }
  return all;
}

std::string case_name(const ::testing::TestParamInfo<Case>& c) {
  return c.param.tier + "_" + std::string(info(c.param.type).name);
}

class ProjectionTest : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!tier_is_usable(GetParam().tier)) {
      GTEST_SKIP() << GetParam().tier << " cannot run on this machine";
    }
  }

  static WeightSegment segment(const Weight& weight) {
    return {weight.type, weight.rows, weight.cols, weight.bytes};
  }
};

struct Variant {
  Epilogue epilogue = Epilogue::kStore;
  Activation activation = Activation::kSilu;
  bool biased = false;
};

float combined(const Variant& run, const std::vector<float>& y, const std::vector<float>& bias,
               std::size_t n, float before) {
  const auto output = [&](std::size_t i) { return run.biased ? y[i] + bias[i] : y[i]; };
  if (run.epilogue == Epilogue::kStore) return output(n);
  if (run.epilogue == Epilogue::kAddTo) return before + output(n);
  return activate(run.activation, output(n)) * output(n + y.size() / 2);
}

void check(Device& device, const kernels::PackedMatrix& packed, const Expected& e,
           const Variant& run, std::size_t tokens) {
  const std::size_t n = run.epilogue == Epilogue::kGate ? e.weight.rows / 2 : e.weight.rows;
  const std::vector<float> bias = random_values(e.weight.rows, 21);
  const std::vector<float> before = random_values(tokens * n, 22);
  std::vector<float> out = before;
  Project op;
  op.x = {e.x.data(), tokens, e.weight.cols, e.weight.cols};
  op.weight = &packed;
  op.bias = run.biased ? bias.data() : nullptr;
  op.epilogue = run.epilogue;
  op.activation = run.activation;
  op.out = {out.data(), tokens, n, n};
  device.run([&](kernels::Ops& ops) { ops.project(op); });
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float want = combined(run, e.y[i / n], bias, i % n, before[i]);
    ASSERT_TRUE(same(out[i], want)) << "token " << i / n << " of " << tokens << ", output " << i % n
                                    << ": " << out[i] << ", defined as " << want;
  }
}

TEST_P(ProjectionTest, GivesTheDefinedBitsForEveryBatchAndEpilogue) {
  const Expected& e = expected(GetParam().type);
  auto device = open(GetParam().tier, 1);  // workers are the next test
  const std::vector<WeightSegment> segments = {segment(e.weight)};
  auto packed = device->pack(segments).value();
  const Variant runs[] = {{},
                          {.epilogue = Epilogue::kAddTo},
                          {.epilogue = Epilogue::kGate},
                          {.epilogue = Epilogue::kGate, .activation = Activation::kGeluTanh},
                          {.epilogue = Epilogue::kStore, .biased = true},
                          {.epilogue = Epilogue::kGate, .biased = true}};
  for (const std::size_t tokens : kBatches) {
    for (const Variant& run : runs) {
      SCOPED_TRACE(::testing::Message() << "epilogue " << static_cast<int>(run.epilogue));
      ASSERT_NO_FATAL_FAILURE(check(*device, *packed, e, run, tokens));
    }
  }
}

TEST_P(ProjectionTest, GivesTheSameBitsForEveryNumberOfWorkers) {
  const Expected& e = expected(GetParam().type);
  for (const std::size_t workers : {1, 2, 3, 5}) {
    auto device = open(GetParam().tier, workers);
    const std::vector<WeightSegment> segments = {segment(e.weight)};
    auto packed = device->pack(segments).value();
    for (const std::size_t tokens : {1, 4, 5, 33}) {
      ASSERT_NO_FATAL_FAILURE(check(*device, *packed, e, {}, tokens)) << workers << " workers";
      ASSERT_NO_FATAL_FAILURE(check(*device, *packed, e, {.epilogue = Epilogue::kGate}, tokens));
    }
  }
}

TEST_P(ProjectionTest, IsCloseToTheSumsInF64) {
  // One activation rounds by at most amax / 254 = 0.4 % of the largest; sums of hundreds of random
  // terms average that out, so 1 % of the norm is ample, and floats are far closer.
  const ElementType type = GetParam().type;
  Weight weight = random_weight(type, 33, cols_of(type), 31);
  weight.rows = 32;
  weight.bytes.resize(weight.bytes.size() / 33 * 32);
  const std::vector<float> x = random_values(weight.cols, 32);
  const std::vector<float> w = weight.decoded();
  const std::vector<float> y = project_row(weight, x);
  double error = 0;
  double size = 0;
  for (std::size_t r = 0; r < weight.rows; ++r) {
    double sum = 0;
    double magnitude = 0;
    for (std::size_t k = 0; k < weight.cols; ++k) {
      const double term = static_cast<double>(w[r * weight.cols + k]) * static_cast<double>(x[k]);
      sum += term;
      magnitude += term * term;
    }
    const double off = static_cast<double>(y[r]) - sum;
    error += off * off;
    size += magnitude;
  }
  const double relative = std::sqrt(error / size);
  EXPECT_LT(relative, info(type).block_values == 1 ? 1e-5 : 1e-2);
}

INSTANTIATE_TEST_SUITE_P(EveryTierAndFormat, ProjectionTest, ::testing::ValuesIn(cases()),
                         case_name);

// Real files mix formats inside a layer: Gemma's q and k are Q5_0 where v is Q8_0.
class SegmentsTest : public TierTest {};

TEST_P(SegmentsTest, OfDifferentFormatsAndOddRowsAreOneMatrix) {
  const ElementType types[] = {ElementType::kQ5_0, ElementType::kQ4_K, ElementType::kF16,
                               ElementType::kQ8_0, ElementType::kQ6_K, ElementType::kNVFP4};
  constexpr std::size_t kCols = 256;
  constexpr std::size_t kTokens = 7;
  std::vector<Weight> weights;
  std::vector<WeightSegment> segments;
  std::size_t rows = 0;
  for (const ElementType type : types) {
    weights.push_back(random_weight(type, 5 + 8 * weights.size(), kCols, weights.size()));
    rows += weights.back().rows;
  }
  for (const Weight& weight : weights) {
    segments.push_back({weight.type, weight.rows, weight.cols, weight.bytes});
  }
  const std::vector<float> x = random_values(kTokens * kCols, 41);
  std::vector<std::vector<float>> y(kTokens);
  for (std::size_t t = 0; t < kTokens; ++t) {
    for (const Weight& weight : weights) {
      const auto part = project_row(weight, std::span(x).subspan(t * kCols, kCols));
      y[t].insert(y[t].end(), part.begin(), part.end());
    }
  }
  for (const std::size_t workers : {1, 2, 3}) {
    auto device = open(GetParam(), workers);
    auto packed = device->pack(segments).value();
    for (const Epilogue epilogue : {Epilogue::kStore, Epilogue::kGate}) {
      const std::size_t n = epilogue == Epilogue::kGate ? rows / 2 : rows;
      std::vector<float> out(kTokens * n);
      Project op;
      op.x = {x.data(), kTokens, kCols, kCols};
      op.weight = packed.get();
      op.epilogue = epilogue;
      op.out = {out.data(), kTokens, n, n};
      device->run([&](kernels::Ops& ops) { ops.project(op); });
      for (std::size_t i = 0; i < out.size(); ++i) {
        const float want = combined({.epilogue = epilogue}, y[i / n], {}, i % n, 0);
        ASSERT_TRUE(same(out[i], want)) << workers << " workers, output " << i % n;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTier, SegmentsTest, ::testing::ValuesIn(tier_and_model_names()),
                         tier_case_name);

TEST(ReferenceClassTest, EqualsTheF64SumRoundedForEveryFormat) {
  auto device = open("portable", 2, Numerics::kReference);
  for (const ElementType type : weight_types()) {
    const Expected& e = expected(type);
    const std::vector<WeightSegment> segments = {
        {e.weight.type, e.weight.rows, e.weight.cols, e.weight.bytes}};
    auto packed = device->pack(segments).value();
    const std::vector<float> w = e.weight.decoded();
    const std::vector<float> x = random_values(70 * e.weight.cols, 51);
    std::vector<float> out(70 * e.weight.rows);
    Project op;
    op.x = {x.data(), 70, e.weight.cols, e.weight.cols};
    op.weight = packed.get();
    op.out = {out.data(), 70, e.weight.rows, e.weight.rows};
    device->run([&](kernels::Ops& ops) { ops.project(op); });
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t n = i % e.weight.rows;
      if (n + 1 == e.weight.rows) continue;  // its scales are not all finite
      double sum = 0;
      double magnitude = 0;
      for (std::size_t k = 0; k < e.weight.cols; ++k) {
        const double term = static_cast<double>(w[n * e.weight.cols + k]) *
                            static_cast<double>(x[i / e.weight.rows * e.weight.cols + k]);
        sum += term;
        magnitude += std::fabs(term);
      }
      // Half a unit of f32 for the rounding at the end, and what f64 sums lose.
      const double bound = std::fabs(sum) * 0x1p-24 + magnitude * 0x1p-40;
      ASSERT_NEAR(static_cast<double>(out[i]), sum, bound) << info(type).name;
    }
  }
}

}  // namespace
}  // namespace cairn::conformance
