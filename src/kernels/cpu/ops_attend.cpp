// Attention: heads are normed, rotated and appended, then every query head attends.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/math.h"
#include "kernels/cpu/cpu_ops.h"
#include "kernels/cpu/norm_row.h"
#include "kernels/cpu/pages.h"
#include "kernels/cpu/quantise_block.h"

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

enum class Kind : std::uint8_t { kKey, kValue };

/// Where a head goes: its kv head's keys or values in a page.
struct Int8Place {
  Kind kind = Kind::kKey;
  std::byte* part = nullptr;
  std::size_t slot = 0;
};

/// Writes codes and scales of one head.
void append_int8(const Int8Place& place, std::span<const float> head) {
  auto* const to = reinterpret_cast<std::int8_t*>(place.part);
  auto* const scales = reinterpret_cast<float*>(place.part + kPagePositions * head.size());
  const std::size_t slot = place.slot % kPagePositions;
  for (std::size_t d = 0; d < head.size(); d += kInt8Dims) {
    std::int8_t codes[kInt8Dims];
    const std::size_t count = std::min(kInt8Dims, head.size() - d);
    scales[d / kInt8Dims * kPagePositions + slot] = quantise_block(head.data() + d, count, codes);
    for (std::size_t i = 0; i < count; ++i) {
      const bool key = place.kind == Kind::kKey;
      to[key ? (d + i) * kPagePositions + slot : slot * head.size() + d + i] = codes[i];
    }
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
  if (layout.type == CacheType::kInt8) {
    append_int8({.kind = is_key ? Kind::kKey : Kind::kValue, .part = base, .slot = row.slot},
                values);
    return;
  }
  for (std::size_t d = 0; d < layout.head_dim; ++d) {
    const std::size_t index = is_key ? key_index(d, row.slot) : value_index(layout, d, row.slot);
    store_cached(layout.type, base, index, values[d]);
  }
}

/// Head `head` of row t: queries first, then keys, then values.
void CpuOps::prepare_head(const Attend& op, std::size_t t, std::size_t head, const float* cosines) {
  const std::size_t dim = op.cache.layout.head_dim;
  const std::span<float> values = op.qkv.row(t).subspan(head * dim, dim);
  const bool is_query = head < op.heads;
  const bool is_value = head >= op.heads + op.cache.layout.kv_heads;
  if (!is_value) {
    const Norm& norm = is_query ? op.q_norm : op.k_norm;
    const bool normed = norm.weight != nullptr;
    const auto norm_head = [&] { norm_row(*shared_.kernels, values, norm, values.data()); };
    if (normed && op.head_norms == HeadNorms::kEach) norm_head();
    rotate(op.rope, cosines, cosines + op.rope.dims / 2, values);
    if (normed && op.head_norms == HeadNorms::kEachRotated) norm_head();
  }
  if (!is_query) append(op, op.rows[t], head, values);
}

/// Queries and keys of whole rows, normed over all heads.
void CpuOps::norm_all_heads(const Attend& op) {
  const std::size_t dim = op.cache.layout.head_dim;
  const Part part = part_of(op.rows.size());
  for (std::size_t t = part.begin; t < part.end; ++t) {
    const std::span<float> row = op.qkv.row(t);
    const std::span<float> queries = row.first(op.heads * dim);
    const std::span<float> keys = row.subspan(op.heads * dim, op.cache.layout.kv_heads * dim);
    if (op.q_norm.weight != nullptr) norm_row(*shared_.kernels, queries, op.q_norm, queries.data());
    if (op.k_norm.weight != nullptr) norm_row(*shared_.kernels, keys, op.k_norm, keys.data());
  }
  shared_.team->barrier();
}

void CpuOps::prepare_heads(const Attend& op) {
  if (op.head_norms == HeadNorms::kAll) norm_all_heads(op);
  const std::size_t heads = op.heads + 2 * op.cache.layout.kv_heads;
  const Part part = part_of(op.rows.size() * heads);
  auto* cosines = reinterpret_cast<float*>(scratch_.head.data());
  std::size_t row = op.rows.size();
  for (std::size_t item = part.begin; item < part.end; ++item) {
    const std::size_t t = item / heads;
    if (row != t && op.rope.dims > 0) {
      shared_.kernels->angles(op.rope, op.rows[t].position[0], cosines, cosines + op.rope.dims / 2);
    }
    row = t;
    prepare_head(op, t, item % heads, cosines);
  }
  shared_.team->barrier();
}

/// Query heads [head, head + heads) of rows [t, t + rows), all of one kv head and one sequence.
struct CpuOps::QueryTile {
  std::size_t t = 0;
  std::size_t rows = 0;
  std::size_t head = 0;
  std::size_t heads = 0;

  std::size_t count() const { return rows * heads; }
  std::size_t row_of(std::size_t i) const { return t + i / heads; }
  std::size_t head_of(std::size_t i) const { return head + i % heads; }
};

/// The running softmax of one head.
struct CpuOps::Softmax {
  float maximum = 0;
  float sum = 0;
  bool started = false;

  /// Adds a chunk to the chunks before it: with M the larger maximum, both sides are scaled by
  /// exp(their maximum - M). Source: Milakov and Gimelshein 2018, arXiv 1805.02867.
  void add(const Query& chunk, std::span<float> out) {
    if (!started) {
      *this = {chunk.maximum, chunk.sum, true};
      std::copy_n(chunk.values, out.size(), out.data());
      return;
    }
    const float larger = chunk.maximum > maximum ? chunk.maximum : maximum;
    const float old_scale = math::exp(maximum - larger);
    const float new_scale = math::exp(chunk.maximum - larger);
    maximum = larger;
    sum = sum * old_scale + chunk.sum * new_scale;
    for (std::size_t d = 0; d < out.size(); ++d) {
      out[d] = out[d] * old_scale + chunk.values[d] * new_scale;
    }
  }
  void finish(std::span<float> out) const {
    for (float& value : out) value = value / sum;
  }
};

namespace {

struct Slots {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The slots that a row sees.
Slots visible(const Attend& op, const Row& row) {
  CAIRN_CHECK(row.parent < 0);
  const std::size_t seen = row.slot + std::size_t{1};
  return {op.window == 0 || seen <= op.window ? 0 : seen - op.window, seen};
}

/// The slots that any of the rows sees.
Slots visible(const Attend& op, std::span<const Row> rows) {
  Slots all = visible(op, rows[0]);
  for (const Row& row : rows) {
    const Slots seen = visible(op, row);
    all = {std::min(all.begin, seen.begin), std::max(all.end, seen.end)};
  }
  return all;
}

std::span<float> head_out(const Attend& op, std::size_t t, std::size_t head) {
  const std::size_t dim = op.cache.layout.head_dim;
  return op.out.row(t).subspan(head * dim, dim);
}

}  // namespace

/// One chunk's results for every query of a tile; values [queries, head_dim].
void CpuOps::attend_chunk(const Attend& op, const QueryTile& tile, std::size_t chunk,
                          std::span<Query> queries, float* values) {
  const std::size_t dim = op.cache.layout.head_dim;
  const std::size_t size = shared_.kernels->chunk_slots;
  const std::size_t begin = chunk * size;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Slots seen = visible(op, op.rows[tile.row_of(i)]);
    queries[i] = {.q = op.qkv.row(tile.row_of(i)).data() + tile.head_of(i) * dim,
                  .begin = std::max(begin, seen.begin),
                  .end = seen.end - begin < size ? seen.end : begin + size,
                  .values = values + i * dim};
    if (seen.end <= begin) queries[i].end = queries[i].begin;
  }
  shared_.kernels->attend({.queries = queries,
                           .cache = &op.cache,
                           .pages = op.cache.block_tables[op.rows[tile.t].sequence],
                           .kv_head = tile.head / (op.heads / op.cache.layout.kv_heads),
                           .scale = op.scale,
                           .soft_cap = op.soft_cap,
                           .wide = reinterpret_cast<double*>(scratch_.head.data()),
                           .fetch = shared_.tuning.prefetch_bytes != 0});
}

void CpuOps::attend_tile(const Attend& op, const QueryTile& tile) {
  const Slots all = visible(op, op.rows.subspan(tile.t, tile.rows));
  const std::size_t size = shared_.kernels->chunk_slots;
  std::array<Query, kQueryTile> room;
  const std::span<Query> queries = std::span(room).first(tile.count());
  std::array<Softmax, kQueryTile> heads;
  auto* values = reinterpret_cast<float*>(scratch_.queries.data());
  for (std::size_t chunk = all.begin / size; chunk <= (all.end - 1) / size; ++chunk) {
    attend_chunk(op, tile, chunk, queries, values);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (queries[i].begin >= queries[i].end) continue;
      heads[i].add(queries[i], head_out(op, tile.row_of(i), tile.head_of(i)));
    }
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    heads[i].finish(head_out(op, tile.row_of(i), tile.head_of(i)));
  }
}

/// Fewer tiles than keep all workers busy: chunks are split too, and merged after a barrier.
void CpuOps::attend_split(const Attend& op, std::span<const QueryTile> tiles, std::size_t chunks) {
  const std::size_t workers = shared_.team->workers();
  const std::size_t dim = op.cache.layout.head_dim;
  const std::size_t step = kQueryTile * dim;
  auto* values = reinterpret_cast<float*>(shared_.partials.data());
  auto* kept = reinterpret_cast<Query*>(shared_.queries.data());
  for (std::size_t item = worker_; item < tiles.size() * chunks; item += workers) {
    const QueryTile& tile = tiles[item / chunks];
    attend_chunk(op, tile, item % chunks, {kept + item * kQueryTile, tile.count()},
                 values + item * step);
  }
  shared_.team->barrier();
  std::size_t turn = 0;
  for (std::size_t item = 0; item < tiles.size(); ++item) {
    for (std::size_t i = 0; i < tiles[item].count(); ++i) {
      if (turn++ % workers != worker_) continue;
      Softmax head;
      const std::span<float> out = head_out(op, tiles[item].row_of(i), tiles[item].head_of(i));
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const Query& part = kept[(item * chunks + chunk) * kQueryTile + i];
        if (part.begin < part.end) head.add(part, out);
      }
      head.finish(out);
    }
  }
}

/// Calls each(tile) for tiles of rows of one sequence and query heads of one kv head, largest work
/// last where rows ascend.
template <class Each>
void CpuOps::each_query_tile(const Attend& op, Each each) const {
  const std::size_t kv_heads = op.cache.layout.kv_heads;
  const std::size_t group = op.heads / kv_heads;
  const std::size_t workers = shared_.team->workers();
  std::size_t heads = std::min(group, kQueryTile);
  const std::size_t few = op.rows.size() * kv_heads;
  if (few < workers) heads = std::min(heads, (group * few + workers - 1) / workers);
  const std::size_t rows_max = std::max<std::size_t>(1, kQueryTile / heads);
  for (std::size_t t = 0; t < op.rows.size();) {
    std::size_t rows = 1;
    while (rows < rows_max && t + rows < op.rows.size() &&
           op.rows[t + rows].sequence == op.rows[t].sequence) {
      ++rows;
    }
    for (std::size_t head = 0; head < op.heads;) {
      const std::size_t left = group - head % group;
      each(QueryTile{t, rows, head, std::min(heads, left)});
      head += std::min(heads, left);
    }
    t += rows;
  }
}

void CpuOps::attend(const Attend& op) {
  const KvLayout& layout = op.cache.layout;
  const std::size_t dim = layout.head_dim;
  CAIRN_CHECK(layout.kv_heads > 0 && op.heads % layout.kv_heads == 0);
  CAIRN_CHECK(op.qkv.cols == (op.heads + 2 * layout.kv_heads) * dim);
  CAIRN_CHECK(op.rope.dims <= dim && dim <= scratch_.inputs.cols());
  prepare_heads(op);
  const std::size_t workers = shared_.team->workers();
  std::array<QueryTile, kSplitTiles> few;
  std::size_t count = 0;
  each_query_tile(op, [&](const QueryTile& tile) {
    if (count < kSplitTiles) few[count] = tile;
    ++count;
  });
  const Slots all = op.rows.empty() ? Slots{} : visible(op, op.rows);
  const std::size_t chunks = (all.end + kChunkSlots - 1) / kChunkSlots;
  const bool split = workers > 1 && chunks > 1 && chunks <= kSplitChunks && count < 2 * workers &&
                     count <= kSplitTiles && shared_.kernels->chunk_slots == kChunkSlots;
  if (split && count * chunks * kQueryTile * dim * sizeof(float) <= shared_.partials.size()) {
    attend_split(op, std::span(few).first(count), chunks);
  } else {
    std::size_t turn = 0;
    each_query_tile(op, [&](const QueryTile& tile) {
      if (turn++ % workers == worker_) attend_tile(op, tile);
    });
  }
  shared_.team->barrier();
}

}  // namespace cairn::kernels
