// Embeddings, norms, residuals and logits give the defined bits for every number of workers.
#include <gtest/gtest.h>

#include <memory>

#include "kernels/cpu/cpu_device.h"
#include "tests/conformance/definition.h"
#include "tests/conformance/tier_test.h"

namespace cairn::conformance {
namespace {

using kernels::CpuDevice;
using kernels::CpuOptions;
using kernels::Device;
using kernels::Row;
using kernels::WeightSegment;

std::unique_ptr<Device> open(const std::string& isa, std::size_t threads) {
  CpuOptions options;
  options.threads = threads;
  options.isa = isa;
  std::unique_ptr<Device> device = CpuDevice::create(options).value();
  EXPECT_TRUE(device->reserve_scratch(64, 1024).ok());
  return device;
}

std::unique_ptr<kernels::PackedMatrix> pack(Device& device, const Weight& weight) {
  const std::vector<WeightSegment> segments = {
      {weight.type, weight.rows, weight.cols, weight.bytes}};
  return device.pack(segments).value();
}

void expect_same(std::span<const float> actual, std::span<const float> wanted) {
  ASSERT_EQ(actual.size(), wanted.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_TRUE(same(actual[i], wanted[i])) << i << ": " << actual[i] << ", not " << wanted[i];
  }
}

class RowsTest : public TierTest {};

TEST_P(RowsTest, EmbedGivesTheDecodedRowTimesTheScale) {
  for (const ElementType type : weight_types()) {
    const std::size_t cols = 2 * std::max<std::size_t>(info(type).block_values, 24);
    const Weight weight = random_weight(type, 37, cols, 3);
    const std::vector<float> decoded = weight.decoded();
    for (const std::size_t workers : {1, 3}) {
      auto device = open(GetParam(), workers);
      auto table = pack(*device, weight);
      std::vector<Row> rows(5);
      for (std::size_t t = 0; t < rows.size(); ++t) rows[t].token = static_cast<TokenId>(9 * t);
      std::vector<float> out(rows.size() * cols);
      kernels::Embed op;
      op.rows = rows;
      op.table = table.get();
      op.scale = 25.25F;
      op.out = {out.data(), rows.size(), cols, cols};
      device->run([&](kernels::Ops& ops) { ops.embed(op); });
      std::vector<float> wanted;
      for (std::size_t i = 0; i < out.size(); ++i) {
        wanted.push_back(25.25F * decoded[i / cols * 9 * cols + i % cols]);
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(out, wanted)) << info(type).name;
    }
  }
}

/// Some of the rows of x [9, norm.size()], normed and projected, are the first of wanted [9, 20].
void expect_projected(Device& device, const kernels::PackedMatrix& weight,
                      const std::vector<float>& x, const std::vector<float>& norm,
                      const std::vector<float>& wanted) {
  const std::size_t cols = norm.size();
  for (const std::size_t tokens : {1, 4, 5, 9}) {
    std::vector<float> out(tokens * 20);
    kernels::Project op;
    op.x = {x.data(), tokens, cols, cols};
    op.norm = {norm.data(), 1e-5F};
    op.weight = &weight;
    op.out = {out.data(), tokens, 20, 20};
    device.run([&](kernels::Ops& ops) { ops.project(op); });
    ASSERT_NO_FATAL_FAILURE(expect_same(out, std::span(wanted).first(out.size())));
  }
}

TEST_P(RowsTest, ProjectNormsItsInputByLanesOfSixteen) {
  for (const std::size_t cols : {1, 7, 15, 16, 17, 64, 301, 576}) {
    const Weight weight = random_weight(ElementType::kF32, 20, cols, 4);
    const std::vector<float> x = random_values(9 * cols, 5);
    const std::vector<float> norm = random_values(cols, 6);
    std::vector<float> wanted;
    for (std::size_t t = 0; t < 9; ++t) {
      const auto normed = norm_row(std::span(x).subspan(t * cols, cols), norm, 1e-5F);
      const auto y = project_row(weight, normed);
      wanted.insert(wanted.end(), y.begin(), y.end());
    }
    for (const std::size_t workers : {1, 2, 3}) {
      auto device = open(GetParam(), workers);
      auto packed = pack(*device, weight);
      ASSERT_NO_FATAL_FAILURE(expect_projected(*device, *packed, x, norm, wanted));
    }
  }
}

TEST_P(RowsTest, AddNormedAddsTheNormOfEachRow) {
  constexpr std::size_t kCols = 301;
  const std::vector<float> y = random_values(9 * kCols, 7);
  const std::vector<float> weight = random_values(kCols, 8);
  const std::vector<float> before = random_values(9 * kCols, 9);
  std::vector<float> wanted = before;
  for (std::size_t t = 0; t < 9; ++t) {
    const auto normed = norm_row(std::span(y).subspan(t * kCols, kCols), weight, 1e-6F);
    for (std::size_t c = 0; c < kCols; ++c) wanted[t * kCols + c] += normed[c];
  }
  for (const std::size_t workers : {1, 2, 3}) {
    auto device = open(GetParam(), workers);
    for (const std::size_t tokens : {1, 4, 5, 9}) {
      std::vector<float> x(before.begin(),
                           before.begin() + static_cast<std::ptrdiff_t>(tokens * kCols));
      kernels::AddNormed op;
      op.y = {y.data(), tokens, kCols, kCols};
      op.norm = {weight.data(), 1e-6F};
      op.x = {x.data(), tokens, kCols, kCols};
      device->run([&](kernels::Ops& ops) { ops.add_normed(op); });
      ASSERT_NO_FATAL_FAILURE(expect_same(x, std::span(wanted).first(x.size())));
    }
  }
}

TEST_P(RowsTest, LogitsGivesRowsThatWantThemInOrderScaledAndCapped) {
  const Weight head = random_weight(ElementType::kQ8_0, 99, 64, 10);
  const std::vector<float> x = random_values(20UL * 64, 11);
  const std::vector<float> norm = random_values(64, 12);
  std::vector<Row> rows(20);
  std::vector<float> wanted;
  for (const std::size_t t : {0, 3, 4, 7, 11, 12, 19}) {
    rows[t].wants_logits = true;
    const auto normed = norm_row(std::span(x).subspan(t * 64, 64), norm, 1e-6F);
    for (const float y : project_row(head, normed)) wanted.push_back(soft_cap(0.5F * y, 30));
  }
  for (const std::size_t workers : {1, 2, 3}) {
    auto device = open(GetParam(), workers);
    auto packed = pack(*device, head);
    std::vector<float> out(7UL * 99);
    kernels::Logits op;
    op.rows = rows;
    op.x = {x.data(), 20, 64, 64};
    op.norm = {norm.data(), 1e-6F};
    op.head = packed.get();
    op.scale = 0.5F;
    op.soft_cap = 30;
    op.out = {out.data(), 7, 99, 99};
    device->run([&](kernels::Ops& ops) { ops.logits(op); });
    ASSERT_NO_FATAL_FAILURE(expect_same(out, wanted));
  }
}

// Rows that want only their two best stand between rows that want all; ties go to the lower id.
TEST_P(RowsTest, LogitsGivesTheTwoBestOfRowsThatWantNoMoreAndStoresNoneOfThem) {
  constexpr std::size_t kIds = 99;
  Weight head = random_weight(ElementType::kQ8_0, kIds, 64, 10);
  const std::size_t row_bytes = head.bytes.size() / kIds;
  for (std::size_t to : {20, 40, 60, 97, 98}) {  // equal rows: equal logits
    std::copy_n(head.bytes.begin() + 7 * static_cast<std::ptrdiff_t>(row_bytes), row_bytes,
                head.bytes.begin() + static_cast<std::ptrdiff_t>(to * row_bytes));
  }
  const std::vector<float> x = random_values(20UL * 64, 11);
  const std::vector<float> norm = random_values(64, 12);
  std::vector<Row> rows(20);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    rows[t].wants_logits = t % 4 != 3;
    rows[t].wants_best = t % 2 == 0;
  }
  for (const std::size_t workers : {1, 2, 3}) {
    auto device = open(GetParam(), workers);
    auto packed = pack(*device, head);
    std::vector<float> out(15 * kIds, -1.0F);
    std::vector<kernels::BestTwo> best(15);
    kernels::Logits op;
    op.rows = rows;
    op.x = {x.data(), 20, 64, 64};
    op.norm = {norm.data(), 1e-6F};
    op.head = packed.get();
    op.out = {out.data(), 15, kIds, kIds};
    op.best = best.data();
    device->run([&](kernels::Ops& ops) { ops.logits(op); });
    std::size_t w = 0;
    for (std::size_t t = 0; t < rows.size(); ++t) {
      if (!rows[t].wants_logits) continue;
      const auto normed = norm_row(std::span(x).subspan(t * 64, 64), norm, 1e-6F);
      std::vector<float> wanted = project_row(head, normed);
      const std::span<const float> stored = std::span(out).subspan(w * kIds, kIds);
      if (!rows[t].wants_best) {
        ASSERT_NO_FATAL_FAILURE(expect_same({stored.begin(), stored.end()}, wanted));
      } else {
        ASSERT_NO_FATAL_FAILURE(
            expect_same({stored.begin(), stored.end()}, std::vector<float>(kIds, -1.0F)));
        const auto at = std::ranges::max_element(wanted);
        EXPECT_EQ(best[w].id, at - wanted.begin());
        EXPECT_TRUE(same(best[w].first, *at));
        *at = -std::numeric_limits<float>::infinity();
        EXPECT_TRUE(same(best[w].second, *std::ranges::max_element(wanted)));
        EXPECT_EQ(best[w].finite, 1U);
      }
      ++w;
    }
  }
}

TEST_P(RowsTest, LogitsOfNoRowAreNothing) {
  const Weight head = random_weight(ElementType::kQ8_0, 32, 64, 10);
  auto device = open(GetParam(), 2);
  auto packed = pack(*device, head);
  const std::vector<Row> rows(3);
  const std::vector<float> x(3UL * 64);
  kernels::Logits op;
  op.rows = rows;
  op.x = {x.data(), 3, 64, 64};
  op.head = packed.get();
  op.out = {nullptr, 0, 32, 32};
  device->run([&](kernels::Ops& ops) { ops.logits(op); });
}

INSTANTIATE_TEST_SUITE_P(EveryTier, RowsTest, ::testing::ValuesIn(tier_names()), tier_case_name);

}  // namespace
}  // namespace cairn::conformance
