// dot_tiles: panels (rows16/) times many tokens by tiles: the sums of integers of 16 tokens and 16
// rows at once, then each token's float steps as rows16/ has them.
#pragma once

#include "kernels/cpu/amx/tiles.h"
#include "kernels/cpu/rows16/dot_256.h"
#include "kernels/cpu/rows16/dot_32.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// Tokens of a tile.
inline constexpr std::size_t kTileTokens = 16;

/// Tile registers: the codes; then activations and sums of whole tiles of tokens, and of the rest.
enum Register : int { kCodes, kActivations, kSums, kLastActivations, kLastSums };

/// Sums of integers: [token][row].
using TileSums = std::int32_t[kTileTokens][kGroupRows];

/// The tiles of one task: kRun values of k at a time.
template <std::size_t kRun>
class Products {
 public:
  Products(const Quantised& x, TokenRange tokens)
      : x_(x), tokens_(tokens), tiles_(shapes((tokens.end - tokens.begin) % kTileTokens).of) {}

  /// The codes [kRun / 4][16][4] that the next sums are of.
  CAIRN_INLINE void codes(const std::byte* at) const { tiles_.template load<kCodes>(at, 64); }

  /// sums = the codes times the activations k .. k + kRun of kTileTokens tokens from t on, or fewer
  /// at the end of the task.
  CAIRN_INLINE void sums(std::size_t t, std::size_t k, TileSums& sums) const {
    if (t + kTileTokens <= tokens_.end) {
      multiply_tiles<kActivations, kSums>(t, k, sums);
    } else {
      multiply_tiles<kLastActivations, kLastSums>(t, k, sums);
    }
  }

 private:
  struct Shapes {
    TileShape of[kTiles] = {};
  };
  static Shapes shapes(std::size_t last) {
    const auto rows = static_cast<std::uint8_t>(last);
    Shapes shapes;
    shapes.of[kCodes] = {.rows = kRun / 4, .row_bytes = 64};
    shapes.of[kActivations] = {.rows = kTileTokens, .row_bytes = kRun};
    shapes.of[kSums] = {.rows = kTileTokens, .row_bytes = 64};
    if (last == 0) return shapes;
    shapes.of[kLastActivations] = {.rows = rows, .row_bytes = kRun};
    shapes.of[kLastSums] = {.rows = rows, .row_bytes = 64};
    return shapes;
  }

  template <int kA, int kC>
  CAIRN_INLINE void multiply_tiles(std::size_t t, std::size_t k, TileSums& sums) const {
    tiles_.template zero<kC>();
    tiles_.template load<kA>(x_.q_row(t) + k, x_.cols);
    tiles_.template dot<kC, kA, kCodes>();
    tiles_.template store<kC>(sums, 64);
  }

  const Quantised& x_;
  TokenRange tokens_;
  Tiles tiles_;
};

/// Tokens of a task and where their results stand, [tokens][16].
struct DotRun {
  const Quantised& x;
  TokenRange tokens = {};
  float* y = nullptr;
};

/// What a tile of tokens meets: `rows` is the first of them, at the values of k, y [count][16].
struct TileAt {
  Rows<1> rows;
  std::size_t count = 0;
  float* y = nullptr;
};

/// each(TileAt) for the task's tokens at value k.
template <class Each>
inline CAIRN_INLINE void by_tiles(const DotRun& run, std::size_t k, Each each) {
  for (std::size_t t = run.tokens.begin; t < run.tokens.end; t += kTileTokens) {
    const std::size_t left = run.tokens.end - t;
    each(TileAt{{run.x, t, k},
                left < kTileTokens ? left : kTileTokens,
                run.y + (t - run.tokens.begin) * kGroupRows});
  }
}

/// The forms of 32 values on a Panel32 P.
template <class P>
struct Tiles32 {
  static constexpr std::size_t kRun = P::kHalved ? 16 : 32;

  /// One half of a sub-block, or all of it: acc = fma(float(isum), scale * da, acc).
  static void add_half(const P& panel, std::size_t half, const TileSums& sums, TileAt at) {
    const Floats scale = panel.scale(half);
    for (std::size_t t = 0; t < at.count; ++t, ++at.rows.t0, at.y += kGroupRows) {
      const Ints total[1] = {load(sums[t])};
      Floats acc[1] = {load_floats(at.y)};
      const auto sum = [&](std::ptrdiff_t) {
        return P::kHalved ? int{at.rows.sums16(0)[half]} : int{at.rows.sums32(0)[0]};
      };
      Dot32<P>::add_scaled(total, scale, at.rows, sum, acc);
      if constexpr (!P::kHalved) Dot32<P>::add_minimum(panel, at.rows, acc);
      store_floats(at.y, acc[0]);
    }
  }

  static void run(const Products<kRun>& products, const Piece& piece, const DotRun& run) {
    alignas(64) TileSums sums;
    for (std::size_t u = 0; u < piece.values / kSubValues; ++u) {
      const P panel(piece.packed + u * P::kBytes, 0);
      const std::size_t k = piece.k0 + u * kSubValues;
      for (std::size_t half = 0; half < kSubValues / kRun; ++half) {
        products.codes(panel.codes.bytes + half * kRun * kGroupRows);
        by_tiles(run, k, [&](const TileAt& at) {
          products.sums(at.rows.t0, k + half * kRun, sums);
          add_half(panel, half, sums, at);
        });
      }
    }
  }
};

/// The forms of 256 values on a Panel256 P.
template <class P>
struct Tiles256 {
  static constexpr std::size_t kRun = P::kHalved ? 16 : 32;
  static constexpr std::size_t kRuns = kSuper / kRun;

  /// total [count] += the scales of run r times its sums.
  static void add_run(Ints pairs, std::size_t r, const TileSums& sums, std::size_t count,
                      TileSums& total) {
    const Ints scale = r % 2 == 0 ? word<0>(pairs) : word<1>(pairs);
    for (std::size_t t = 0; t < count; ++t) {
      store(total[t], add(load(total[t]), multiply(load(sums[t]), scale)));
    }
  }

  static void finish(const P& panel, const TileSums& total, TileAt at) {
    for (std::size_t t = 0; t < at.count; ++t, ++at.rows.t0, at.y += kGroupRows) {
      Ints sums[1] = {load(total[t])};
      Floats acc[1] = {load_floats(at.y)};
      Dot256<P>::finish(panel, at.rows, sums, acc);
      store_floats(at.y, acc[0]);
    }
  }

  static void run(const Products<kRun>& products, const Piece& piece, const DotRun& run) {
    alignas(64) TileSums sums;
    alignas(64) TileSums total;
    for (std::size_t u = 0; u < piece.values / kSuper; ++u) {
      const P panel(piece.packed + u * P::kBytes);
      const std::size_t k = piece.k0 + u * kSuper;
      by_tiles(run, k, [&](const TileAt& at) {
        for (std::size_t t = 0; t < at.count; ++t) store(total[t], every(0));
        for (std::size_t r = 0; r < kRuns; ++r) {
          products.codes(panel.at + r * kRun * kGroupRows);
          products.sums(at.rows.t0, k + r * kRun, sums);
          add_run(panel.scales(r / 2), r, sums, at.count, total);
        }
        finish(panel, total, at);
      });
    }
  }
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
