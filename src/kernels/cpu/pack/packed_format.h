// The packed formats: one row per element type that can be a quantised weight on the CPU.
//
// Purpose     P16K4 (reference/cpu-performance.md 4.1): per 16 rows and source block, the planes of
//             planes.h, then scale bytes, then f16 numbers.
// Invariants  packing keeps every number of the source; a packed block is at most 5 % larger than
//             its 16 source blocks (TQ1_0, kept as 2-bit plane: 25 %).
// Threads     constant table, pure functions.
// Adding      a format: a struct like those in nibbles.cpp, and its row in packed_format.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/cpu/pack/tile.h"
#include "tensor/element_type.h"

namespace cairn::kernels {

struct PackedFormat {
  ElementType type = ElementType::kQ4_0;
  Form form = Form::kPlain32;
  std::size_t block_values = 32;  // per row
  std::size_t block_bytes = 0;    // per 16 rows
  /// Interleaves one block of each of 16 rows.
  void (*pack)(const std::byte* const* rows, std::byte* out) = nullptr;
  /// Fills what `form` reads.
  void (*unpack)(const std::byte* packed, Tile& tile) = nullptr;
};

/// All rows.
std::span<const PackedFormat> packed_formats();

/// The row of `type`, or nullptr for types that are kept as floats or are never weights.
const PackedFormat* find_packed_format(ElementType type);

}  // namespace cairn::kernels
