// Step: what one forward pass computes, and where.
//
// Purpose     the message from engine/ to models/: rows of any number of sequences, in chunks of
//             any size; the model sees rows and never a prompt.
// Invariants  a row's result depends on its own sequence alone; rows of one sequence stand in
//             ascending slots, and every slot below them is in the cache or earlier in the step.
// Threads     built by the engine thread between two runs, read by every worker during one.
// Adding      a per-step input: a field here with a default that means "as before".
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "kernels/device.h"
#include "kernels/ops.h"
#include "tensor/view.h"

namespace cairn::models {

/// Widths, in floats per row, of what a forward pass writes between its ops.
struct ScratchShape {
  std::size_t width = 0;       // of the residual stream
  std::size_t qkv = 0;         // queries, keys and values of the widest layer
  std::size_t attended = 0;    // all heads of the widest layer
  std::size_t hidden = 0;      // the widest feed-forward
  std::size_t vocabulary = 0;  // logits
};

/// Most rows that a step may have.
struct StepLimits {
  std::size_t rows_max = 0;
  std::size_t logits_rows_max = 0;
};

/// Bytes that Scratch::create takes of `device`, inside its ops too, but for the logits.
std::size_t scratch_bytes(const kernels::Device& device, const ScratchShape& shape,
                          const StepLimits& limits);

/// Bytes of the logits in one place: on the device, or where the sampler reads them.
std::size_t logits_bytes(const ScratchShape& shape, const StepLimits& limits);

/// Device memory for the steps of one engine, sized once. Views are device addresses.
class Scratch {
 public:
  /// Errors: kTooLarge with the bytes asked for.
  static Result<Scratch> create(kernels::Device& device, const ScratchShape& shape,
                                const StepLimits& limits);

  const StepLimits& limits() const { return limits_; }

  /// Each is [rows, its width]; rows up to rows_max. `cols` may be below the width of the widest
  /// layer. Valid as long as the Scratch; contents are one step's.
  Matrix x(std::size_t rows) const { return view(kX, rows, shape_.width); }
  Matrix branch(std::size_t rows) const { return view(kBranch, rows, shape_.width); }
  Matrix qkv(std::size_t rows, std::size_t cols) const { return view(kQkv, rows, cols); }
  Matrix attended(std::size_t rows, std::size_t cols) const { return view(kAttended, rows, cols); }
  Matrix hidden(std::size_t rows, std::size_t cols) const { return view(kHidden, rows, cols); }
  /// [rows, vocabulary] of the rows with wants_logits, in order; rows up to logits_rows_max.
  Matrix logits(std::size_t rows) const { return view(kLogits, rows, shape_.vocabulary); }
  /// [rows] of the same rows, for those with wants_best.
  kernels::BestTwo* best(std::size_t rows) const;
  /// [rows, width]: what the last norm makes of x, where a row of the step wants_hidden. Zeroed by
  /// whoever runs the step, as it is added to.
  Matrix normed(std::size_t rows) const { return view(kNormed, rows, shape_.width); }

 private:
  enum Part : std::uint8_t {
    kX,
    kBranch,
    kQkv,
    kAttended,
    kHidden,
    kLogits,
    kBest,
    kNormed,
    kParts
  };

  Matrix view(Part part, std::size_t rows, std::size_t cols) const;

  ScratchShape shape_;
  StepLimits limits_;
  std::vector<std::unique_ptr<kernels::Buffer>> parts_;
};

/// One forward pass. Everything it points to outlives the run.
struct Step {
  std::span<const kernels::Row> rows = {};
  std::span<const kernels::KvPages> caches = {};  // one per Model::caches(), in that order
  const Scratch* scratch = nullptr;
};

/// Rows of `step` that want logits: the rows of Scratch::logits that a forward writes.
std::size_t logits_rows(std::span<const kernels::Row> rows);

/// Whether a row of `rows` wants its hidden state.
bool any_wants_hidden(std::span<const kernels::Row> rows);

}  // namespace cairn::models
