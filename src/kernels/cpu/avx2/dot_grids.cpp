// Formats that point into grids (pack/grids.cpp): unpacked by the shared reader, row by row, then
// laid out as vectors.
#include <cstring>
#include <utility>

#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/dot_256.h"

CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// The shape of an unpacked block. The largest magnitude of a grid is 62.
template <bool kByHalves>
struct Grid {
  static constexpr bool kHalved = kByHalves;
  static constexpr bool kMinimum = false;
  static constexpr int kOffset = 0;
  Unpacked<2, true> codes(std::ptrdiff_t s) const;
};

template <bool kByHalves>
void lay_out(const Tile& tile, std::byte* out) {
  using Panel = Unpacked256<Grid<kByHalves>>;
  for (std::size_t s = 0; s < kSubsMax; ++s) {
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      std::byte* to = out + kUnpackedBytes * s + 4 * r;
      for (std::size_t v = 0; v < 8; ++v) std::memcpy(to + 64 * v, &tile.codes[s][r][4 * v], 4);
    }
  }
  auto* pairs = reinterpret_cast<std::int16_t*>(out + Panel::kScalesAt);
  for (std::size_t j = 0; j < Panel::kPairs; ++j) {
    const std::size_t step = kByHalves ? 1 : 2;
    for (std::size_t r = 0; r < kGroupRows; ++r, pairs += 2) {
      pairs[0] = tile.scales[2 * step * j][r];
      pairs[1] = tile.scales[2 * step * j + step][r];
    }
  }
  std::memcpy(out + Panel::kFloatsAt, tile.d[0], sizeof tile.d[0]);
}

template <bool kByHalves>
void dot_grid(const DotTask& task) {
  using Panel = Unpacked256<Grid<kByHalves>>;
  const PackedFormat& format = *task.segment->format;
  alignas(64) std::byte panel[Panel::kBytes];
  Tile tile;
  each_group(task, [&](const std::byte* packed, float* y) {
    for (std::size_t b = 0; b < task.segment->cols / kSuper; ++b) {
      format.unpack(packed + b * format.block_bytes, tile);
      lay_out<kByHalves>(tile, panel);
      deal_tokens<Dot256<Panel>>({panel, b * kSuper, kSuper}, task.inputs->a256, task.tokens, y);
    }
  });
}

}  // namespace

void dot_grid_by_32(const DotTask& task) { dot_grid<false>(task); }
void dot_grid_by_16(const DotTask& task) { dot_grid<true>(task); }

}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
