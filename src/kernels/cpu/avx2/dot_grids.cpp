// Formats that point into grids (pack/grids.cpp): looked up by the shared readers, row by row,
// then laid out as vectors.
#include <utility>

#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/dot_256.h"
#include "kernels/cpu/pack/grids.h"

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

/// Eight rows of eight words as eight words of eight rows.
inline CAIRN_INLINE void transpose(__m256i (&v)[8]) {
  __m256i pairs[8];
  unrolled<0, 8, 2>([&](auto i) CAIRN_INLINE {
    pairs[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
  });
  __m256i fours[8];
  unrolled<0, 8, 4>([&](auto i) CAIRN_INLINE {
    fours[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
    fours[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
    fours[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    fours[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  });
  unrolled<0, 4>([&](auto i) CAIRN_INLINE {
    v[i] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
    v[i + 4] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
  });
}

/// Rows 8 h to 8 h + 7 of a block, word by word of `from(row)`.
template <class From>
inline CAIRN_INLINE void load_words(const GridCodes* rows, std::ptrdiff_t h, From from,
                                    __m256i (&v)[8]) {
  unrolled<0, 8>([&](auto r) CAIRN_INLINE { v[r] = load_256(from(rows[8 * h + r])); });
  transpose(v);
}

template <bool kByHalves>
void lay_out(const GridCodes* rows, std::byte* out) {
  using Panel = Unpacked256<Grid<kByHalves>>;
  __m256i v[8];
  for (std::ptrdiff_t h = 0; h < 2; ++h) {
    for (std::ptrdiff_t s = 0; s < std::ptrdiff_t{kSubsMax}; ++s) {
      load_words(
          rows, h, [s](const GridCodes& row) { return row.q + 32 * s; }, v);
      std::byte* to = out + kUnpackedBytes * s + 32 * h;
      unrolled<0, 8>([&](auto w) CAIRN_INLINE { store_256(to + 64 * w, v[w]); });
    }
    load_words(
        rows, h, [](const GridCodes& row) { return row.scales; }, v);
    std::byte* to = out + Panel::kScalesAt + 32 * h;
    if constexpr (kByHalves) {
      unrolled<0, 8>([&](auto j) CAIRN_INLINE { store_256(to + 64 * j, v[j]); });
    } else {
      // The scales of two sub-blocks are in the low halves of two words.
      unrolled<0, 4>([&](auto j) CAIRN_INLINE {
        const __m256i second = _mm256_slli_epi32(v[2 * j + 1], 16);
        store_256(to + 64 * j, _mm256_blend_epi16(v[2 * j], second, 0xAA));
      });
    }
  }
  auto* d = reinterpret_cast<float*>(out + Panel::kFloatsAt);
  for (std::size_t r = 0; r < kGroupRows; ++r) d[r] = rows[r].d;
}

template <bool kByHalves>
void dot_grid(const DotTask& task) {
  using Panel = Unpacked256<Grid<kByHalves>>;
  const ReadGrid read = grid_reader(task.segment->type);
  const std::size_t block_bytes = task.segment->format->block_bytes;
  alignas(64) std::byte panel[Panel::kBytes];
  GridCodes rows[kGroupRows];
  each_group(task, [&](const std::byte* packed, float* y) {
    for (std::size_t b = 0; b < task.segment->cols / kSuper; ++b) {
      const std::byte* block = packed + b * block_bytes;
      for (std::size_t r = 0; r < kGroupRows; ++r) {
        read(block + r * (block_bytes / kGroupRows), rows[r]);
      }
      lay_out<kByHalves>(rows, panel);
      deal_tokens<Dot256<Panel>>({panel, b * kSuper, kSuper}, task.inputs->a256, task.tokens, y);
    }
  });
}

}  // namespace

void dot_grid_by_32(const DotTask& task) { dot_grid<false>(task); }
void dot_grid_by_16(const DotTask& task) { dot_grid<true>(task); }

}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
