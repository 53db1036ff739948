// Attention gives the defined bits: grouped heads, windows, soft caps, norms, rotation, chunk
// borders, pages in any order, sequences side by side, any split into steps and workers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "base/math.h"
#include "kernels/cpu/cpu_device.h"
#include "tests/conformance/definition.h"
#include "tests/conformance/tier_test.h"

namespace cairn::conformance {
namespace {

using kernels::Attend;
using kernels::CacheType;
using kernels::CpuDevice;
using kernels::Device;
using kernels::kPagePositions;
using kernels::Numerics;
using kernels::RopePairs;
using kernels::Row;

/// A whole case: the step list is one row per slot of each sequence.
struct Scene {
  AttentionCase shape = {};
  std::size_t slots = 0;
  std::size_t sequences = 1;
  bool normed = false;
  std::size_t rope_dims = 0;
  RopePairs pairs = RopePairs::kHalves;
  float spread = 1;  // of queries; large values make the softmax sharp
};

struct Data {
  std::vector<float> qkv = {};  // [sequences * slots, (heads + 2 kv_heads) * dim]
  std::vector<float> q_norm = {};
  std::vector<float> k_norm = {};
  std::vector<float> frequencies = {};
};

std::size_t width(const AttentionCase& c) { return (c.heads + 2 * c.kv_heads) * c.dim; }

Data make_data(const Scene& scene) {
  const AttentionCase& c = scene.shape;
  Data data;
  data.qkv = random_values(scene.sequences * scene.slots * width(c), 1);
  for (std::size_t i = 0; i < data.qkv.size(); ++i) {
    if (i % width(c) < c.heads * c.dim) data.qkv[i] *= scene.spread;
  }
  data.q_norm = random_values(c.dim, 2);
  data.k_norm = random_values(c.dim, 3);
  for (std::size_t i = 0; i < scene.rope_dims / 2; ++i) {
    data.frequencies.push_back(static_cast<float>(math::exp64(-0.3 * static_cast<double>(i))));
  }
  return data;
}

std::vector<float> prepared_head(const Scene& scene, const Data& data, std::span<const float> head,
                                 const std::vector<float>& norm, std::size_t slot) {
  std::vector<float> out(head.begin(), head.end());
  if (scene.normed) out = norm_row(out, norm, 1e-6F);
  return rotate_row(out, data.frequencies, static_cast<std::uint32_t>(slot), scene.pairs);
}

void append(std::vector<float>& to, std::span<const float> values) {
  to.insert(to.end(), values.begin(), values.end());
}

/// What attention of one sequence eats: q [slots, heads * dim], k and v [slots, kv_heads * dim].
struct Prepared {
  std::vector<float> q = {};
  std::vector<float> k = {};
  std::vector<float> v = {};
};

Prepared prepare(const Scene& scene, const Data& data, std::size_t sequence) {
  const AttentionCase& c = scene.shape;
  Prepared out;
  for (std::size_t slot = 0; slot < scene.slots; ++slot) {
    const std::size_t row = sequence * scene.slots + slot;
    const auto head = [&](std::size_t h) {
      return std::span(data.qkv).subspan(row * width(c) + h * c.dim, c.dim);
    };
    for (std::size_t h = 0; h < c.heads; ++h) {
      append(out.q, prepared_head(scene, data, head(h), data.q_norm, slot));
    }
    for (std::size_t h = 0; h < c.kv_heads; ++h) {
      append(out.k, prepared_head(scene, data, head(c.heads + h), data.k_norm, slot));
      append(out.v, head(c.heads + c.kv_heads + h));
    }
  }
  return out;
}

/// out [sequences * slots, heads * dim] by the definition.
std::vector<float> defined(const Scene& scene, const Data& data) {
  const AttentionCase& c = scene.shape;
  std::vector<float> out;
  for (std::size_t s = 0; s < scene.sequences; ++s) {
    const Prepared in = prepare(scene, data, s);
    for (std::size_t slot = 0; slot < scene.slots; ++slot) {
      const auto queries = std::span(in.q).subspan(slot * c.heads * c.dim, c.heads * c.dim);
      append(out, attend_row(c, queries, in.k, in.v, slot));
    }
  }
  return out;
}

/// How the same work is cut up.
struct Cut {
  std::size_t workers = 1;
  std::size_t step = 1;  // slots of each sequence per step
  std::string isa = "portable";
};

class Runner {
 public:
  Runner(const Scene& scene, const Data& data, const Cut& cut, Numerics numerics)
      : scene_(scene), data_(data), cut_(cut) {
    device_ = open_tier(cut.isa, {.threads = cut.workers, .numerics = numerics});
    const std::size_t rows = scene.sequences * cut.step;
    EXPECT_TRUE(device_->reserve_scratch(rows, width(scene.shape)).ok());
    const std::size_t pages = (scene.slots + kPagePositions - 1) / kPagePositions;
    layout_ = {scene.shape.kv_heads, scene.shape.dim, scene.shape.type};
    pool_ = device_->allocate(pages * scene.sequences * device_->page_bytes(layout_)).value();
    // Pages as a real pool has them: left by others (NaN in every element) and in no order.
    std::vector<std::byte> garbage(pool_->size(), std::byte{0xFF});
    device_->upload(pool_->address(), garbage);
    tables_.resize(scene.sequences);
    for (std::size_t i = 0; i < pages * scene.sequences; ++i) {
      const std::size_t page = pages * scene.sequences - 1 - i;
      tables_[i % scene.sequences].push_back(static_cast<std::uint32_t>(page));
    }
    for (const auto& table : tables_) spans_.emplace_back(table);
  }

  std::vector<float> run() {
    const std::size_t out_width = scene_.shape.heads * scene_.shape.dim;
    std::vector<float> out(scene_.sequences * scene_.slots * out_width);
    for (std::size_t at = 0; at < scene_.slots; at += cut_.step) {
      step(at, std::min(cut_.step, scene_.slots - at), out);
    }
    return out;
  }

 private:
  void step(std::size_t first, std::size_t count, std::vector<float>& out) {
    const std::size_t in_width = width(scene_.shape);
    const std::size_t out_width = scene_.shape.heads * scene_.shape.dim;
    std::vector<Row> rows;
    std::vector<float> qkv;
    for (std::size_t s = 0; s < scene_.sequences; ++s) {
      for (std::size_t slot = first; slot < first + count; ++slot) {
        Row row;
        row.sequence = static_cast<std::uint32_t>(s);
        row.slot = static_cast<std::uint32_t>(slot);
        row.position[0] = row.slot;
        rows.push_back(row);
        const auto from = std::span(data_.qkv).subspan((s * scene_.slots + slot) * in_width);
        qkv.insert(qkv.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(in_width));
      }
    }
    std::vector<float> result(rows.size() * out_width);
    Attend op;
    op.rows = rows;
    op.qkv = {qkv.data(), rows.size(), in_width, in_width};
    op.heads = scene_.shape.heads;
    op.scale = scene_.shape.scale;
    op.window = scene_.shape.window;
    op.soft_cap = scene_.shape.cap;
    if (scene_.normed) {
      op.q_norm = {data_.q_norm.data(), 1e-6F};
      op.k_norm = {data_.k_norm.data(), 1e-6F};
    }
    op.rope.dims = scene_.rope_dims;
    op.rope.pairs = scene_.pairs;
    op.rope.inverse_frequency = data_.frequencies.data();
    op.cache.layout = layout_;
    op.cache.pool = pool_->address();
    op.cache.block_tables = spans_;
    op.out = {result.data(), rows.size(), out_width, out_width};
    device_->run([&](kernels::Ops& ops) { ops.attend(op); });
    for (std::size_t i = 0; i < result.size(); ++i) {
      const Row& row = rows[i / out_width];
      out[(row.sequence * scene_.slots + row.slot) * out_width + i % out_width] = result[i];
    }
  }

  const Scene& scene_;
  const Data& data_;
  Cut cut_;
  std::unique_ptr<Device> device_;
  kernels::KvLayout layout_ = {};
  std::unique_ptr<kernels::Buffer> pool_;
  std::vector<std::vector<std::uint32_t>> tables_;
  std::vector<std::span<const std::uint32_t>> spans_;
};

void check_all_cuts(const Scene& scene, const std::string& isa) {
  const Data data = make_data(scene);
  const std::vector<float> wanted = defined(scene, data);
  for (const Cut& cut :
       {Cut{1, scene.slots, isa}, Cut{2, 1, isa}, Cut{3, 7, isa}, Cut{2, 64, isa}}) {
    const std::vector<float> out = Runner(scene, data, cut, Numerics::kExact).run();
    for (std::size_t i = 0; i < out.size(); ++i) {
      ASSERT_TRUE(same(out[i], wanted[i]))
          << "element " << i << " with " << cut.workers << " workers in steps of " << cut.step
          << ": " << out[i] << ", defined as " << wanted[i];
    }
  }
}

AttentionCase shape(std::size_t heads, std::size_t kv_heads, std::size_t dim) {
  return {heads, kv_heads, dim, 1 / std::sqrt(static_cast<float>(dim)), 0, 0, CacheType::kBf16};
}

class AttendTest : public TierTest {};

TEST_P(AttendTest, OfOneHeadAcrossChunkBorders) {
  Scene scene;
  scene.shape = shape(1, 1, 16);
  scene.slots = 530;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, OfGroupedHeadsWithRotation) {
  Scene scene;
  scene.shape = shape(9, 3, 64);
  scene.slots = 70;
  scene.sequences = 2;
  scene.rope_dims = 64;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, OfGemmaShape) {
  Scene scene;
  scene.shape = shape(4, 1, 32);
  scene.shape.window = 40;
  scene.shape.cap = 5;
  scene.slots = 300;
  scene.normed = true;
  scene.rope_dims = 32;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, OfOddDimensionsPartialRotationAndAnF32Cache) {
  Scene scene;
  scene.shape = shape(4, 2, 19);
  scene.shape.type = CacheType::kF32;
  scene.shape.window = 1;
  scene.slots = 40;
  scene.rope_dims = 12;
  scene.pairs = RopePairs::kAdjacent;
  check_all_cuts(scene, GetParam());
  scene.shape.window = 33;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, OfSharpScoresUnderflowsToZeroLikeTheDefinition) {
  Scene scene;
  scene.shape = shape(2, 1, 32);
  scene.shape.scale = 40;
  scene.spread = 100;
  scene.slots = 300;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, NaNsOfOneSequenceStayInIt) {
  Scene scene;
  scene.shape = shape(2, 1, 16);
  scene.slots = 40;
  scene.sequences = 2;
  Data data = make_data(scene);
  data.qkv[5] = std::numeric_limits<float>::quiet_NaN();  // sequence 0, slot 0, a query
  data.qkv[2 * 16 + 3 + 3 * width(scene.shape)] = std::numeric_limits<float>::infinity();
  const std::vector<float> wanted = defined(scene, data);
  const std::vector<float> out = Runner(scene, data, {2, 7, GetParam()}, Numerics::kExact).run();
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_TRUE(same(out[i], wanted[i])) << i;
  for (std::size_t i = out.size() / 2; i < out.size(); ++i) ASSERT_TRUE(std::isfinite(out[i]));
}

TEST_P(AttendTest, OfManyHeadsOfOneKeyHead) {
  Scene scene;
  scene.shape = shape(20, 1, 24);
  scene.shape.window = 300;
  scene.slots = 290;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, OfAnInt8CacheAcrossChunkBorders) {
  Scene scene;
  scene.shape = shape(1, 1, 16);
  scene.shape.type = CacheType::kInt8;
  scene.slots = 530;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, OfAnInt8CacheOfGroupedHeadsWithRotation) {
  Scene scene;
  scene.shape = shape(9, 3, 64);
  scene.shape.type = CacheType::kInt8;
  scene.slots = 70;
  scene.sequences = 2;
  scene.rope_dims = 64;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, OfAnInt8CacheOfManyHeadsAndOddDimensionsInAWindow) {
  Scene scene;
  scene.shape = shape(20, 1, 43);
  scene.shape.type = CacheType::kInt8;
  scene.shape.window = 270;
  scene.shape.cap = 5;
  scene.slots = 290;
  scene.normed = true;
  check_all_cuts(scene, GetParam());
}

TEST_P(AttendTest, AnInt8CacheKeepsTinyHeadsAsZeroAndNaNsInTheirSequence) {
  Scene scene;
  scene.shape = shape(2, 1, 16);
  scene.shape.type = CacheType::kInt8;
  scene.slots = 40;
  scene.sequences = 2;
  Data data = make_data(scene);
  const std::size_t heads = 2 * 16;
  for (std::size_t d = 0; d < 32; ++d) data.qkv[7 * width(scene.shape) + heads + d] *= 0x1p-122F;
  data.qkv[3 * width(scene.shape) + heads + 3] = std::numeric_limits<float>::infinity();
  data.qkv[5 * width(scene.shape) + heads + 20] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> wanted = defined(scene, data);
  const std::vector<float> out = Runner(scene, data, {2, 7, GetParam()}, Numerics::kExact).run();
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_TRUE(same(out[i], wanted[i])) << i;
  for (std::size_t i = out.size() / 2; i < out.size(); ++i) ASSERT_TRUE(std::isfinite(out[i]));
}

INSTANTIATE_TEST_SUITE_P(EveryTier, AttendTest, ::testing::ValuesIn(tier_and_model_names()),
                         tier_case_name);

TEST(ReferenceClassTest, AttentionIsCloseToTheExactDefinitionOnAnF32Cache) {
  Scene scene;
  scene.shape = shape(6, 2, 32);
  scene.shape.type = CacheType::kF32;
  scene.shape.window = 290;
  scene.shape.cap = 20;
  scene.slots = 400;
  scene.normed = true;
  scene.rope_dims = 32;
  const Data data = make_data(scene);
  const std::vector<float> wanted = defined(scene, data);
  const std::vector<float> out = Runner(scene, data, {2, 64}, Numerics::kReference).run();
  for (std::size_t i = 0; i < out.size(); ++i) {
    // f32 rounds angles of up to 400 radians to 2^-17, the largest difference between the two.
    ASSERT_NEAR(out[i], wanted[i], 1e-4F) << i;
  }
}

}  // namespace
}  // namespace cairn::conformance
