// Formats that point into grids (pack/grids.cpp): looked up by the shared readers, row by row, then
// laid out as vectors.
#pragma once

#include <cstring>

#include "kernels/cpu/pack/grids.h"
#include "kernels/cpu/rows16/dot_256.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// The shape of an unpacked block; codes have kByteOffset added.
template <bool kByHalves>
struct Grid {
  static constexpr bool kHalved = kByHalves;
  static constexpr bool kMinimum = false;
  static constexpr int kOffset = kByteOffset;
};

/// Puts the codes of row `r` of 16 where the panel has them.
template <bool kByHalves>
void lay_out(const GridCodes& row, std::size_t r, std::byte* out) {
  using Panel = Panel256<Grid<kByHalves>>;
  for (std::size_t v = 0; v < 8 * kSubsMax; ++v) {
    std::uint32_t four = 0;
    std::memcpy(&four, row.q + 4 * v, sizeof four);
    if constexpr (kByteOffset != 0) four ^= 0x80808080U;
    std::memcpy(out + 64 * v + 4 * r, &four, sizeof four);
  }
  constexpr std::size_t kStep = kByHalves ? 1 : 2;
  for (std::size_t j = 0; j < Panel::kPairs; ++j) {
    const std::int16_t pair[2] = {row.scales[2 * kStep * j], row.scales[2 * kStep * j + kStep]};
    std::memcpy(out + Panel::kScalesAt + 64 * j + 4 * r, pair, sizeof pair);
  }
  std::memcpy(out + Panel::kFloatsAt + 4 * r, &row.d, sizeof row.d);
}

/// The dots of 16 rows of a format that reads its codes from a grid.
template <bool kByHalves>
void dot_grid(const DotTask& task) {
  using Panel = Panel256<Grid<kByHalves>>;
  const ReadGrid read = grid_reader(task.segment->type);
  const std::size_t block_bytes = task.segment->format->block_bytes;
  alignas(64) std::byte panel[Panel::kBytes];
  each_group(task, [&](const std::byte* packed, float* y) {
    for (std::size_t b = 0; b < task.segment->cols / kSuper; ++b) {
      const std::byte* block = packed + b * block_bytes;
      for (std::size_t r = 0; r < kGroupRows; ++r) {
        GridCodes row;
        read(block + r * (block_bytes / kGroupRows), row);
        lay_out<kByHalves>(row, r, panel);
      }
      deal_tokens<Dot256<Panel>, kTokens>({panel, b * kSuper, kSuper}, task.inputs->a256,
                                          task.tokens, y);
    }
  });
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
