// Forwarder: what the engine needs of a model, so that scheduling is tested without one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"
#include "engine/cache/cache_groups.h"
#include "kernels/ops.h"
#include "tensor/view.h"

namespace cairn::engine {

/// Pages of each sequence of a step in one cache group: entry i holds slots 32 i up to 32 i + 31,
/// or is kNoPage where no row looks.
using BlockTables = std::span<const std::span<const std::uint32_t>>;

/// The block tables of each cache group.
using GroupTables = std::span<const BlockTables>;

class Forwarder {
 public:
  virtual ~Forwarder() = default;

  /// Logits per row; ids at or past the tokenizer's size are padding.
  virtual std::size_t vocabulary() const = 0;
  /// Most rows of a step, and most of them that want logits.
  virtual std::size_t rows_max() const = 0;
  virtual std::size_t logits_rows_max() const = 0;

  /// What the model keeps of a sequence.
  virtual std::span<const CacheGroup> groups() const = 0;
  /// Pages that block tables may name, in each group: 0 up to this.
  virtual std::size_t pages() const = 0;
  /// What a page holds beside ids: cache type and numeric class, "bf16 exact".
  virtual std::string cache_identity() const = 0;
  /// How keys and values lie in a page: another number, another layout. 0: pages of this forwarder
  /// make no sense to another one.
  virtual std::uint32_t page_layout() const = 0;
  /// Bytes of a page of `group` in all its slots.
  virtual std::size_t page_bytes(std::size_t group) const = 0;

  /// Computes `rows` and returns [rows with wants_logits, vocabulary] logits in host memory. The
  /// caller may overwrite them; they are valid until the next forward.
  /// Rows of it whose row wants_best hold anything: theirs is in best().
  virtual Matrix forward(std::span<const kernels::Row> rows, GroupTables block_tables) = 0;

  /// By row of the logits of the last forward, where its row wants_best.
  virtual std::span<const kernels::BestTwo> best() const = 0;

  /// The state behind the last norm of a row of the last forward that wants_hidden, in host memory;
  /// valid until the next call.
  virtual std::span<const float> hidden(std::size_t row) = 0;

  /// Copies a page of every slot of `group`. Between two forwards, as are the next two.
  virtual void copy_page(std::size_t group, std::uint32_t from, std::uint32_t to) = 0;
  /// Copies a page of every slot of `group` to `to` [page_bytes(group)], and back.
  virtual void read_page(std::size_t group, std::uint32_t page, std::span<std::byte> to) = 0;
  virtual void fill_page(std::size_t group, std::uint32_t page,
                         std::span<const std::byte> from) = 0;
};

}  // namespace cairn::engine
