// Forwarder: what the engine needs of a model, so that scheduling is tested without one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "kernels/ops.h"
#include "tensor/view.h"

namespace cairn::engine {

/// Pages of each running sequence: entry i holds slots 32 i up to 32 i + 31.
using BlockTables = std::span<const std::span<const std::uint32_t>>;

class Forwarder {
 public:
  virtual ~Forwarder() = default;

  /// Logits per row; ids at or past the tokenizer's size are padding.
  virtual std::size_t vocabulary() const = 0;
  /// Most rows of a step.
  virtual std::size_t rows_max() const = 0;
  /// Pages of the pool that block tables may name: 0 up to this.
  virtual std::size_t pages() const = 0;

  /// Computes `rows` and returns [rows with wants_logits, vocabulary] logits in host memory. The
  /// caller may overwrite them; they are valid until the next forward.
  virtual Matrix forward(std::span<const kernels::Row> rows, BlockTables block_tables) = 0;
};

}  // namespace cairn::engine
