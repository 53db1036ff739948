// Embeddings, projections, logits and residuals: ops that go row by row.
#include <algorithm>
#include <cstring>

#include "kernels/cpu/cpu_ops.h"
#include "kernels/cpu/norm_row.h"
#include "kernels/cpu/running_best.h"

namespace cairn::kernels {
namespace {

Needs needs_of(const Kernels& kernels, const CpuMatrix& weight) {
  Needs all;
  for (const PackedSegment& segment : weight.segments()) {
    const Needs needs = kernels.needs(segment);
    all.values = all.values || needs.values;
    all.a32 = all.a32 || needs.a32;
    all.a256 = all.a256 || needs.a256;
  }
  return all;
}

const CpuMatrix& cpu_matrix(const PackedMatrix* matrix) {
  CAIRN_CHECK(matrix != nullptr);
  return *static_cast<const CpuMatrix*>(matrix);  // a device packs what its ops are handed
}

/// Tokens whose encoded inputs stay in a core's second-level cache while all row groups pass by.
std::size_t tile_tokens(std::size_t cols) {
  constexpr std::size_t kTileBytes = std::size_t{192} << 10;
  constexpr std::size_t kFewest = 32;
  return std::clamp(kTileBytes / cols / 4 * 4, kFewest, kTileTokens);
}

/// Row groups handed to a kernel at once: as many as their results have room.
std::size_t groups_at_once(TokenRange tokens) { return kTileTokens / (tokens.end - tokens.begin); }

}  // namespace

/// Rows to encode: all of x, or those that `wanted` names.
struct CpuOps::Source {
  ConstMatrix x;
  Norm norm;
  Needs needs;
  const std::uint32_t* wanted = nullptr;
  std::size_t rows = 0;
};

/// Rows of a weight and the tokens they meet; an epilogue gets up to 16 rows.
struct CpuOps::Block {
  std::size_t row = 0;
  std::size_t rows = 0;
  TokenRange tokens;
};

/// Rows of which every worker has the encoded input for itself: one even where nothing is
/// replicated, as add_normed norms into it.
std::size_t CpuOps::own_rows(std::size_t rows) const {
  return std::max<std::size_t>(1, std::min(rows, shared_.tuning.replicated_rows_max));
}

std::size_t CpuOps::scratch_bytes(std::size_t rows, std::size_t cols) const {
  return InputScratch::bytes(own_rows(rows), cols) + 4 * kTileFloats * sizeof(float) +
         cols * (2 * sizeof(float) + sizeof(double)) + cols * kQueryTile * sizeof(float) +
         kTileTokens * sizeof(RunningBest) + rows * sizeof(std::uint32_t);
}

Status CpuOps::reserve(std::size_t rows, std::size_t cols) {
  CAIRN_ASSIGN(scratch_.inputs, InputScratch::create(own_rows(rows), cols));
  CAIRN_ASSIGN(scratch_.tiles, HostMemory::create(4 * kTileFloats * sizeof(float)));
  CAIRN_ASSIGN(scratch_.head, HostMemory::create(cols * (2 * sizeof(float) + sizeof(double))));
  CAIRN_ASSIGN(scratch_.queries, HostMemory::create(cols * kQueryTile * sizeof(float)));
  CAIRN_ASSIGN(scratch_.best, HostMemory::create(kTileTokens * sizeof(RunningBest)));
  scratch_.wanted.resize(rows);
  return {};
}

Part CpuOps::part_of(std::size_t items) const {
  const std::size_t workers = shared_.team->workers();
  return {items * worker_ / workers, items * (worker_ + 1) / workers};
}

void CpuOps::encode_row(const Source& source, std::size_t t, const InputScratch& scratch,
                        Inputs& inputs) const {
  const Kernels& kernels = *shared_.kernels;
  const std::size_t from = source.wanted != nullptr ? source.wanted[t] : t;
  std::span<const float> row = source.x.row(from);
  const Matrix values = scratch.values(source.rows, source.x.cols);
  if (source.norm.weight != nullptr) {
    norm_row(kernels, row, source.norm, values.row(t).data());
    row = values.row(t);
  } else if (source.needs.values) {
    std::copy(row.begin(), row.end(), values.row(t).begin());
  }
  if (source.needs.a32) kernels.quantise(row, inputs.a32, t);
  if (source.needs.a256) kernels.quantise(row, inputs.a256, t);
}

Inputs CpuOps::encode(const Source& source) {
  const bool replicate = source.rows <= scratch_.inputs.rows();
  const InputScratch& scratch = replicate ? scratch_.inputs : shared_.inputs;
  CAIRN_CHECK(source.rows <= scratch.rows() && source.x.cols <= scratch.cols());
  Inputs inputs = {scratch.values(source.rows, source.x.cols), scratch.a32(source.x.cols),
                   scratch.a256(source.x.cols)};
  const Part part = replicate ? Part{0, source.rows} : part_of(source.rows);
  for (std::size_t t = part.begin; t < part.end; ++t) encode_row(source, t, scratch, inputs);
  if (!replicate) shared_.team->barrier();
  return inputs;
}

/// y [tokens, 16]: the block's rows, wherever they stand in the segments' groups.
void CpuOps::compute(const CpuMatrix& weight, Block block, const Inputs& inputs, float* y) const {
  const std::size_t tokens = block.tokens.end - block.tokens.begin;
  float* group_y = y + kTileFloats;
  for (const PackedSegment& segment : weight.segments()) {
    const std::size_t begin = std::max(block.row, segment.first_row);
    const std::size_t end = std::min(block.row + block.rows, segment.first_row + segment.rows);
    for (std::size_t row = begin; row < end;) {
      const std::size_t group = (row - segment.first_row) / kGroupRows;
      const std::size_t lane = (row - segment.first_row) % kGroupRows;
      const std::size_t count = std::min(kGroupRows - lane, end - row);
      const bool whole = lane == 0 && row == block.row;
      float* target = whole ? y : group_y;
      shared_.kernels->dot_of(segment)(
          {&segment, group, 1, &inputs, block.tokens, target, shared_.tuning.prefetch_bytes});
      for (std::size_t t = 0; !whole && t < tokens; ++t) {
        std::copy_n(group_y + t * kGroupRows + lane, count, y + t * kGroupRows + (row - block.row));
      }
      row += count;
    }
  }
}

/// y [groups][tokens, 16]: the block's rows by 16 from its first. Where they are whole groups of
/// one segment, a kernel gets them all at once.
void CpuOps::compute_groups(const CpuMatrix& weight, const Block& block, const Inputs& inputs,
                            float* y) const {
  const std::size_t tokens = block.tokens.end - block.tokens.begin;
  for (std::size_t done = 0; done < block.rows;) {
    const std::size_t row = block.row + done;
    std::size_t count = 0;
    for (const PackedSegment& segment : weight.segments()) {
      if (row < segment.first_row || row >= segment.first_row + segment.rows) continue;
      const std::size_t at = row - segment.first_row;
      if (at % kGroupRows != 0) break;
      count = std::min(segment.rows - at, block.rows - done) / kGroupRows;
      if (count == 0) break;
      shared_.kernels->dot_of(segment)({&segment, at / kGroupRows, count, &inputs, block.tokens, y,
                                        shared_.tuning.prefetch_bytes});
    }
    if (count == 0) {
      count = 1;
      compute(weight, {row, std::min(kGroupRows, block.rows - done), block.tokens}, inputs, y);
    }
    done += count * kGroupRows;
    y += count * kGroupRows * tokens;
  }
}

/// Calls sink(block, y) for this worker's row groups.
template <class Sink>
void CpuOps::each_block(const CpuMatrix& weight, const Inputs& inputs, TokenRange tokens,
                        Sink sink) {
  auto* y = reinterpret_cast<float*>(scratch_.tiles.data());
  std::size_t groups = 0;
  for (const PackedSegment& segment : weight.segments()) groups += segment.groups();
  const Part part = part_of(groups);
  const std::size_t tile = (tokens.end - tokens.begin) * kGroupRows;
  std::size_t first = 0;
  for (const PackedSegment& segment : weight.segments()) {
    const std::size_t begin = std::max(part.begin, first);
    const std::size_t end = std::min(part.end, first + segment.groups());
    for (std::size_t g = begin; g < end;) {
      const std::size_t count = std::min(groups_at_once(tokens), end - g);
      shared_.kernels->dot_of(segment)(
          {&segment, g - first, count, &inputs, tokens, y, shared_.tuning.prefetch_bytes});
      for (std::size_t i = 0; i < count; ++i, ++g) {
        const std::size_t row = (g - first) * kGroupRows;
        const std::size_t rows = std::min(kGroupRows, segment.rows - row);
        sink(Block{segment.first_row + row, rows, tokens}, y + i * tile);
      }
    }
    first += segment.groups();
  }
}

/// Calls body(tokens) tile by tile.
template <class Body>
void CpuOps::each_tile(const CpuMatrix& weight, std::size_t tokens, Body body) {
  const std::size_t step = tile_tokens(weight.cols());
  for (std::size_t t = 0; t < tokens; t += step) body(TokenRange{t, std::min(t + step, tokens)});
}

void CpuOps::embed(const Embed& op) {
  const CpuMatrix& table = cpu_matrix(op.table);
  const Part part = part_of(op.rows.size());
  for (std::size_t t = part.begin; t < part.end; ++t) {
    CAIRN_CHECK(op.rows[t].input_embedding < 0 && op.rows[t].token >= 0);
    const auto token = static_cast<std::size_t>(op.rows[t].token);
    CAIRN_CHECK(token < table.rows());
    const std::span<float> out = op.out.row(t);
    for (const PackedSegment& segment : table.segments()) {
      if (token < segment.first_row || token >= segment.first_row + segment.rows) continue;
      decode_row(segment, token - segment.first_row, out.data());
    }
    for (float& value : out) value = op.scale * value;
  }
  shared_.team->barrier();
}

namespace {

/// A whole group's results of one token: a known count becomes vectors.
void put_group(const Project& op, const float* y, float* out) {
  const float scale = op.scale;
  if (op.epilogue != Epilogue::kAddTo) {
    for (std::size_t r = 0; r < kGroupRows; ++r) out[r] = scale * y[r];
    return;
  }
  for (std::size_t r = 0; r < kGroupRows; ++r) out[r] = out[r] + scale * y[r];
}

}  // namespace

/// Stores the activations of one tile of results.
void CpuOps::put_activated(const Project& op, const Block& block, float* y) const {
  float ones[kGroupRows];
  std::fill_n(ones, kGroupRows, 1.0F);
  for (std::size_t t = block.tokens.begin; t < block.tokens.end; ++t, y += kGroupRows) {
    for (std::size_t r = 0; op.bias != nullptr && r < block.rows; ++r) {
      y[r] = y[r] + op.bias[block.row + r];
    }
    shared_.kernels->gate(op.activation, {y, block.rows}, ones, op.out.row(t).data() + block.row);
  }
}

/// Stores or adds one tile of results.
void CpuOps::put(const Project& op, const Block& block, const float* y) {
  for (std::size_t t = block.tokens.begin; t < block.tokens.end; ++t, y += kGroupRows) {
    float* out = op.out.row(t).data() + block.row;
    if (block.rows == kGroupRows && op.bias == nullptr) {
      put_group(op, y, out);
      continue;
    }
    for (std::size_t r = 0; r < block.rows; ++r) {
      const float value = op.scale * (op.bias != nullptr ? y[r] + op.bias[block.row + r] : y[r]);
      out[r] = op.epilogue == Epilogue::kAddTo ? out[r] + value : value;
    }
  }
}

void CpuOps::project(const Project& op) {
  const CpuMatrix& weight = cpu_matrix(op.weight);
  CAIRN_CHECK(op.x.cols == weight.cols() && op.x.rows == op.out.rows);
  const Needs needs = needs_of(*shared_.kernels, weight);
  const Inputs inputs = encode({.x = op.x, .norm = op.norm, .needs = needs, .rows = op.x.rows});
  if (op.epilogue == Epilogue::kGate) {
    CAIRN_CHECK(op.scale == 1);
    project_gated(op, weight, inputs);
  } else {
    CAIRN_CHECK(op.out.cols == weight.rows());
    CAIRN_CHECK(op.epilogue != Epilogue::kActivate || op.scale == 1);
    each_tile(weight, op.x.rows, [&](TokenRange tokens) {
      each_block(weight, inputs, tokens, [&](const Block& block, float* y) {
        if (op.epilogue == Epilogue::kActivate) return put_activated(op, block, y);
        put(op, block, y);
      });
    });
  }
  shared_.team->barrier();
}

/// Up to 16 rows of a gated projection: gates and ups [tokens, 16].
void CpuOps::put_gated(const Project& op, const Block& block, float* gates, float* ups) const {
  const std::size_t half = op.out.cols;
  for (std::size_t t = block.tokens.begin; t < block.tokens.end; ++t) {
    for (std::size_t r = 0; op.bias != nullptr && r < block.rows; ++r) {
      gates[r] = gates[r] + op.bias[block.row + r];
      ups[r] = ups[r] + op.bias[half + block.row + r];
    }
    shared_.kernels->gate(op.activation, {gates, block.rows}, ups,
                          op.out.row(t).data() + block.row);
    gates += kGroupRows;
    ups += kGroupRows;
  }
}

void CpuOps::gate_tile(const Project& op, const CpuMatrix& weight, const Inputs& inputs,
                       TokenRange tokens) {
  const std::size_t half = op.out.cols;
  auto* ups = reinterpret_cast<float*>(scratch_.tiles.data());
  float* gates = ups + 2 * kTileFloats;
  const std::size_t tile = (tokens.end - tokens.begin) * kGroupRows;
  const Part part = part_of((half + kGroupRows - 1) / kGroupRows);
  for (std::size_t g = part.begin; g < part.end;) {
    const std::size_t end = std::min(g + groups_at_once(tokens), part.end);
    const std::size_t row = g * kGroupRows;
    const std::size_t rows = std::min(end * kGroupRows, half) - row;
    compute_groups(weight, {row, rows, tokens}, inputs, gates);
    compute_groups(weight, {half + row, rows, tokens}, inputs, ups);
    for (std::size_t i = 0; g < end; ++i, ++g) {
      const std::size_t at = g * kGroupRows;
      put_gated(op, {at, std::min(kGroupRows, half - at), tokens}, gates + i * tile,
                ups + i * tile);
    }
  }
}

void CpuOps::project_gated(const Project& op, const CpuMatrix& weight, const Inputs& inputs) {
  CAIRN_CHECK(weight.rows() % 2 == 0 && op.out.cols == weight.rows() / 2);
  each_tile(weight, op.x.rows, [&](TokenRange tokens) { gate_tile(op, weight, inputs, tokens); });
}

void CpuOps::add_normed(const AddNormed& op) {
  const bool by_columns = op.y.rows <= shared_.tuning.replicated_rows_max;
  const Part rows = by_columns ? Part{0, op.y.rows} : part_of(op.y.rows);
  const Part cols = by_columns ? part_of(op.y.cols) : Part{0, op.y.cols};
  const Matrix normed = scratch_.inputs.values(1, op.y.cols);
  CAIRN_CHECK(op.y.cols <= scratch_.inputs.cols());
  for (std::size_t t = rows.begin; t < rows.end; ++t) {
    std::span<const float> y = op.y.row(t);
    if (op.norm.weight != nullptr) {
      norm_row(*shared_.kernels, y, op.norm, normed.data);
      y = normed.row(0);
    }
    const std::span<float> x = op.x.row(t);
    for (std::size_t c = cols.begin; c < cols.end; ++c) x[c] = x[c] + y[c];
  }
  shared_.team->barrier();
}

void CpuOps::put_logits(const Logits& op, const float* y, std::span<float> out) const {
  for (std::size_t r = 0; r < out.size(); ++r) {
    const float scaled = op.scale * y[r];
    out[r] = op.soft_cap > 0 ? shared_.kernels->soft_cap(scaled, op.soft_cap) : scaled;
  }
}

/// Stores the logits of a tile of rows, or adds them to the best of those that want nothing else.
void CpuOps::logits_tile(const Logits& op, const Inputs& inputs, TokenRange tokens) {
  const CpuMatrix& head = cpu_matrix(op.head);
  auto* const running = reinterpret_cast<RunningBest*>(scratch_.best.data());
  std::fill_n(running, tokens.end - tokens.begin, RunningBest());
  const auto wants_best = [&](std::size_t t) { return op.rows[scratch_.wanted[t]].wants_best; };
  each_block(head, inputs, tokens, [&](const Block& block, const float* y) {
    float group[kGroupRows];
    for (std::size_t t = tokens.begin; t < tokens.end; ++t, y += kGroupRows) {
      if (!wants_best(t)) {
        put_logits(op, y, op.out.row(t).subspan(block.row, block.rows));
        continue;
      }
      const std::span<float> logits = std::span(group).first(block.rows);
      put_logits(op, y, logits);
      running[t - tokens.begin].add(logits, block.row);
    }
  });
  auto* const parts = reinterpret_cast<BestTwo*>(shared_.best.data());
  for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
    if (!wants_best(t)) continue;
    parts[t * shared_.team->workers() + worker_] = running[t - tokens.begin].finish();
  }
}

/// Merges what the workers found; the ids of a worker are below those of the next.
void CpuOps::merge_best(const Logits& op, std::size_t count) {
  const std::size_t workers = shared_.team->workers();
  const auto* const parts = reinterpret_cast<const BestTwo*>(shared_.best.data());
  const Part part = part_of(count);
  for (std::size_t t = part.begin; t < part.end; ++t) {
    if (!op.rows[scratch_.wanted[t]].wants_best) continue;
    BestTwo best = parts[t * workers];
    for (std::size_t w = 1; w < workers; ++w) best = merged(best, parts[t * workers + w]);
    op.best[t] = best;
  }
  shared_.team->barrier();
}

void CpuOps::logits(const Logits& op) {
  const CpuMatrix& head = cpu_matrix(op.head);
  CAIRN_CHECK(op.x.cols == head.cols() && op.rows.size() <= scratch_.wanted.size());
  std::size_t count = 0;
  bool any_best = false;
  for (std::size_t t = 0; t < op.rows.size(); ++t) {
    if (!op.rows[t].wants_logits) continue;
    scratch_.wanted[count++] = static_cast<std::uint32_t>(t);
    any_best = any_best || op.rows[t].wants_best;
  }
  CAIRN_CHECK(op.out.rows >= count && op.out.cols == head.rows());
  CAIRN_CHECK(!any_best || op.best != nullptr);
  const Inputs inputs = encode({.x = op.x,
                                .norm = op.norm,
                                .needs = needs_of(*shared_.kernels, head),
                                .wanted = scratch_.wanted.data(),
                                .rows = count});
  each_tile(head, count, [&](TokenRange tokens) { logits_tile(op, inputs, tokens); });
  shared_.team->barrier();
  if (any_best) merge_best(op, count);
}

}  // namespace cairn::kernels
