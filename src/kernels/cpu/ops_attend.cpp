// Attention: heads are normed, rotated and appended, then every query head attends.
#include <algorithm>

#include "kernels/cpu/cpu_ops.h"
#include "kernels/cpu/pages.h"

namespace cairn::kernels {
namespace {

/// (a, b) = (a cos - b sin, a sin + b cos), in f32 steps as written.
void rotate(const Rope& rope, const float* cosines, const float* sines, std::span<float> head) {
  const std::size_t half = rope.dims / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const bool halves = rope.pairs == RopePairs::kHalves;
    float& a = head[halves ? i : 2 * i];
    float& b = head[halves ? i + half : 2 * i + 1];
    const float old_a = a;
    a = old_a * cosines[i] - b * sines[i];
    b = old_a * sines[i] + b * cosines[i];
  }
}

}  // namespace

void CpuOps::append(const Attend& op, const Row& row, std::size_t head,
                    std::span<const float> values) {
  const KvLayout& layout = op.cache.layout;
  const std::uint32_t page = op.cache.block_tables[row.sequence][row.slot / kPagePositions];
  const bool is_key = head < op.heads + layout.kv_heads;
  const std::size_t kv_head = (head - op.heads) % layout.kv_heads;
  std::byte* base = page_keys(op.cache, page, kv_head);
  if (!is_key) base += page_part_bytes(layout);
  for (std::size_t d = 0; d < layout.head_dim; ++d) {
    const std::size_t index = is_key ? key_index(d, row.slot) : value_index(layout, d, row.slot);
    store_cached(layout.type, base, index, values[d]);
  }
}

/// Head `head` of row t: queries first, then keys, then values.
void CpuOps::prepare_head(const Attend& op, std::size_t t, std::size_t head) {
  const std::size_t dim = op.cache.layout.head_dim;
  const std::span<float> values = op.qkv.row(t).subspan(head * dim, dim);
  const bool is_query = head < op.heads;
  const bool is_value = head >= op.heads + op.cache.layout.kv_heads;
  if (!is_value) {
    const Norm& norm = is_query ? op.q_norm : op.k_norm;
    if (norm.weight != nullptr) shared_.kernels->norm(values, norm, values.data());
    auto* cosines = reinterpret_cast<float*>(scratch_.head.data());
    rotate(op.rope, cosines, cosines + op.rope.dims / 2, values);
  }
  if (!is_query) append(op, op.rows[t], head, values);
}

void CpuOps::prepare_heads(const Attend& op) {
  const std::size_t heads = op.heads + 2 * op.cache.layout.kv_heads;
  const Part part = part_of(op.rows.size() * heads);
  auto* cosines = reinterpret_cast<float*>(scratch_.head.data());
  std::size_t angles_of = op.rows.size();
  for (std::size_t item = part.begin; item < part.end; ++item) {
    const std::size_t t = item / heads;
    if (angles_of != t && op.rope.dims > 0) {
      shared_.kernels->angles(op.rope, op.rows[t].position[0], cosines, cosines + op.rope.dims / 2);
    }
    angles_of = t;
    prepare_head(op, t, item % heads);
  }
  shared_.team->barrier();
}

void CpuOps::attend(const Attend& op) {
  const KvLayout& layout = op.cache.layout;
  const std::size_t dim = layout.head_dim;
  CAIRN_CHECK(layout.kv_heads > 0 && op.heads % layout.kv_heads == 0);
  CAIRN_CHECK(op.qkv.cols == (op.heads + 2 * layout.kv_heads) * dim);
  CAIRN_CHECK(op.rope.dims <= dim && dim <= scratch_.inputs.cols());
  prepare_heads(op);
  const Part part = part_of(op.rows.size() * op.heads);
  auto* wide = reinterpret_cast<double*>(scratch_.head.data());
  for (std::size_t item = part.begin; item < part.end; ++item) {
    const std::size_t t = item / op.heads;
    const std::size_t head = item % op.heads;
    const Row& row = op.rows[t];
    CAIRN_CHECK(row.parent < 0);
    const std::size_t seen = row.slot + std::size_t{1};
    shared_.kernels->attend({.q = op.qkv.row(t).data() + head * dim,
                             .cache = &op.cache,
                             .pages = op.cache.block_tables[row.sequence],
                             .kv_head = head / (op.heads / layout.kv_heads),
                             .first = op.window == 0 || seen <= op.window ? 0 : seen - op.window,
                             .last = row.slot,
                             .scale = op.scale,
                             .soft_cap = op.soft_cap,
                             .chunk_out = reinterpret_cast<float*>(wide + dim),
                             .wide_out = wide,
                             .out = op.out.row(t).data() + head * dim});
  }
  shared_.team->barrier();
}

}  // namespace cairn::kernels
