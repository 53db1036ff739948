// CpuOps: the ops as one worker of the CPU device runs them.
//
// Purpose     splits work, keeps barriers, applies epilogues; the numbers come from a tier's
//             kernels.
// Invariants  every op ends with a barrier; a row's bits do not depend on how work was split.
//             Inputs of few rows are normed and encoded by every worker for itself (cheaper than a
//             barrier); of many rows they are split.
// Threads     one object per worker; the shared part is read only while a step runs, but for
//             the scratch, whose rows are split.
// Adding      an op: a method here, in ops_*.cpp.
#pragma once

#include <span>

#include "base/team.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/tuning.h"
#include "kernels/device.h"

namespace cairn::kernels {

/// What all workers of a device share.
struct CpuShared {
  const Kernels* kernels = nullptr;
  Team* team = nullptr;
  CpuTuning tuning;
  InputScratch inputs;
  HostMemory partials;  // results of chunks that workers split
  HostMemory queries;   // their Query structs
  HostMemory best;      // BestTwo by row that wants logits and by worker
};

/// Queries that a kernel gets at once, at most.
inline constexpr std::size_t kQueryTile = 16;

/// Bounds of what is split by chunks: tiles, chunks of each, and bytes of their results. Above them
/// every tile is one worker's.
inline constexpr std::size_t kSplitTiles = 32;
inline constexpr std::size_t kSplitChunks = 512;
inline constexpr std::size_t kSplitBytes = std::size_t{4} << 20;

/// A half-open range of work items.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class CpuOps final : public Ops {
 public:
  CpuOps(const CpuShared& shared, std::size_t worker) : shared_(shared), worker_(worker) {}

  /// Room for ops of `rows` rows and `cols` columns. Errors: kTooLarge.
  Status reserve(std::size_t rows, std::size_t cols);
  /// Bytes that reserve() of the same arguments keeps.
  std::size_t scratch_bytes(std::size_t rows, std::size_t cols) const;

  void embed(const Embed& op) override;
  void project(const Project& op) override;
  void add_normed(const AddNormed& op) override;
  void attend(const Attend& op) override;
  void logits(const Logits& op) override;

 private:
  struct Source;
  struct Block;

  std::size_t own_rows(std::size_t rows) const;
  Part part_of(std::size_t items) const;
  Inputs encode(const Source& source);
  void encode_row(const Source& source, std::size_t t, const InputScratch& scratch,
                  Inputs& inputs) const;
  void compute(const CpuMatrix& weight, Block block, const Inputs& inputs, float* y) const;
  void compute_groups(const CpuMatrix& weight, const Block& block, const Inputs& inputs,
                      float* y) const;
  template <class Sink>
  void each_block(const CpuMatrix& weight, const Inputs& inputs, TokenRange tokens, Sink sink);
  template <class Body>
  static void each_tile(const CpuMatrix& weight, std::size_t tokens, Body body);
  static void put(const Project& op, const Block& block, const float* y);
  void put_activated(const Project& op, const Block& block, float* y) const;
  void put_gated(const Project& op, const Block& block, float* gates, float* ups) const;
  void logits_tile(const Logits& op, const Inputs& inputs, TokenRange tokens);
  void merge_best(const Logits& op, std::size_t count);
  void put_logits(const Logits& op, const float* y, std::span<float> out) const;
  void project_gated(const Project& op, const CpuMatrix& weight, const Inputs& inputs);
  void gate_tile(const Project& op, const CpuMatrix& weight, const Inputs& inputs,
                 TokenRange tokens);
  void norm_all_heads(const Attend& op);
  void prepare_heads(const Attend& op);
  void prepare_head(const Attend& op, std::size_t t, std::size_t head, const float* cosines);
  struct QueryTile;
  struct Softmax;
  void attend_chunk(const Attend& op, const QueryTile& tile, std::size_t chunk,
                    std::span<Query> queries, float* values);
  void attend_tile(const Attend& op, const QueryTile& tile);
  void attend_split(const Attend& op, std::span<const QueryTile> tiles, std::size_t chunks);
  template <class Each>
  void each_query_tile(const Attend& op, Each each) const;
  void append(const Attend& op, const Row& row, std::size_t head, std::span<const float> values);

  const CpuShared& shared_;
  std::size_t worker_ = 0;
  WorkerScratch scratch_;
};

}  // namespace cairn::kernels
