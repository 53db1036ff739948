// dot_tiles: panels of signed codes (signed_panels.h) times many tokens by tiles.
//
// Purpose     the sums of integers of 16 tokens and 16 rows come from the tiles, one run of k after
//             the other; while a run is multiplied, the float steps of the run before it are done.
// Invariants  each token's float steps are rows16/'s, in its order.
#pragma once

#include <algorithm>

#include "kernels/cpu/amx/tiles.h"
#include "kernels/cpu/rows16/dot_256.h"
#include "kernels/cpu/rows16/dot_32.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// Tokens of a tile.
inline constexpr std::size_t kTileTokens = 16;

/// Tile registers: those of the rest are for the tokens that fill no tile.
enum Register : int { kCodes, kActivations, kSums, kRestActivations, kRestSums };

/// Sums of integers: [token][row].
using TileSums = std::int32_t[kTileTokens][kGroupRows];

/// Tokens of a task and where their results stand, [tokens][16].
struct DotRun {
  const Quantised& x;
  TokenRange tokens = {};
  float* y = nullptr;
};

/// kN tokens at a value of k, of which the task has `count`: the last one stands for those it
/// lacks.
template <int kN, bool kWhole>
struct TileAt {
  Rows<1> rows;
  std::size_t count = 0;
  float* y = nullptr;

  CAIRN_INLINE std::size_t row(std::size_t t) const { return kWhole ? t : std::min(t, count - 1); }
  CAIRN_INLINE Rows<1> token(std::size_t t) const {
    Rows<1> one = rows;
    one.q += row(t) * rows.cols;
    one.d += row(t) * rows.blocks;
    one.sums += row(t) * (rows.cols / 16);
    one.sums32 += row(t) * (rows.cols / 32);
    one.minus128_sums32 += row(t) * (rows.cols / 32);
    one.scaled_sums32 += row(t) * (rows.cols / 32);
    return one;
  }
  CAIRN_INLINE void load(Floats (&acc)[kN]) const {
    unrolled<0, kN>([&](auto t) CAIRN_INLINE {
      acc[t] = kWhole || std::size_t{t} < count ? load_floats(y + kGroupRows * t) : every_float(0);
    });
  }
  CAIRN_INLINE void store(const Floats (&acc)[kN]) const {
    unrolled<0, kN>([&](auto t) CAIRN_INLINE {
      if (kWhole || std::size_t{t} < count) store_floats(y + kGroupRows * t, acc[t]);
    });
  }
};

/// The tiles of one task: kRun values of k at a time.
template <std::size_t kRun>
class Products {
 public:
  explicit Products(TokenRange tokens)
      : tiles_(shapes((tokens.end - tokens.begin) % kTileTokens).of) {}

  /// sums = the codes [kRun / 4][16][4] times kRun values of the tokens from k values further on.
  template <int kN, bool kWhole>
  CAIRN_INLINE void multiply(const std::byte* codes, const TileAt<kN, kWhole>& at, std::size_t k,
                             TileSums& sums) const {
    constexpr int kA = kWhole ? kActivations : kRestActivations;
    constexpr int kC = kWhole ? kSums : kRestSums;
    tiles_.template zero<kC>();
    tiles_.template load<kCodes>(codes, 64);
    tiles_.template load<kA>(at.rows.q + k, at.rows.cols);
    tiles_.template dot<kC, kA, kCodes>();
    tiles_.template store<kC>(sums, 64);
  }

 private:
  struct Shapes {
    TileShape of[kTiles] = {};
  };
  static Shapes shapes(std::size_t rest) {
    Shapes shapes;
    shapes.of[kCodes] = {.rows = kRun / 4, .row_bytes = 64};
    shapes.of[kActivations] = {.rows = kTileTokens, .row_bytes = kRun};
    shapes.of[kSums] = {.rows = kTileTokens, .row_bytes = 64};
    if (rest == 0) return shapes;
    const auto rows = static_cast<std::uint8_t>(rest);
    shapes.of[kRestActivations] = {.rows = rows, .row_bytes = kRun};
    shapes.of[kRestSums] = {.rows = rows, .row_bytes = 64};
    return shapes;
  }

  Tiles tiles_;
};

/// What is unpacked next, asked for run by run while tiles are busy: `bytes` of it per run.
struct Later {
  const std::byte* packed = nullptr;
  std::size_t bytes = 0;

  CAIRN_INLINE void fetch_run(std::size_t r) const {
    const auto* at = reinterpret_cast<const char*>(packed) + r * bytes;
    for (std::size_t i = 0; i < bytes; i += 64) fetch(at + i);
  }
};

/// The forms of 32 values on a panel P of signed codes.
template <class P, int kN, bool kWhole>
struct Tiles32 {
  static constexpr std::size_t kHalves = P::kHalved ? 2 : 1;
  static constexpr std::size_t kRun = kSubValues / kHalves;
  using At = TileAt<kN, kWhole>;

  /// Runs that are multiplied before their float steps are done, at most: the processor does not
  /// overlap tiles with vectors, and going from one to the other costs (docs/cpu-speed.md).
  static constexpr std::size_t kStage = 16;
  using Stage = TileSums[kStage];

  const std::byte* packed = nullptr;
  At at;
  Floats acc[kN] = {};

  /// acc = fma(float(isum), scale * da, acc) of run r, and behind the last of a sub-block its
  /// minimum.
  CAIRN_INLINE void add_run(std::size_t r, const TileSums& sums) {
    const std::size_t u = r / kHalves;
    const P panel(packed + u * P::kBytes, 0);
    const Floats scale = panel.scale(r % kHalves);
    const float* const d = at.rows.d + u;
    const float* const msums = at.rows.scaled_sums32 + u;
    const std::size_t blocks = at.rows.blocks;
    const std::size_t count = at.count;
    unrolled<0, kN>([&](auto t) CAIRN_INLINE {
      const std::size_t row =
          (kWhole ? std::size_t{t} : std::min(std::size_t{t}, count - 1)) * blocks;
      const Floats da = every_float(d[row]);
      acc[t] = fused(to_floats(load(sums[t])), multiply(scale, da), acc[t]);
      if constexpr (P::kMinimum) {
        acc[t] = fused(panel.minimum(), every_float(msums[row]), acc[t]);
      }
    });
  }

  CAIRN_INLINE void multiply_run(const Products<kRun>& products, std::size_t r, TileSums& sums) {
    const std::byte* codes = packed + r / kHalves * P::kBytes + r % kHalves * kRun * kGroupRows;
    products.multiply(codes, at, r * kRun, sums);
  }

  static void run(const Products<kRun>& products, const Piece& piece, const At& at,
                  const Later& later) {
    alignas(64) Stage stage;
    Tiles32 tiles{.packed = piece.packed, .at = at};
    const std::size_t runs = piece.values / kRun;
    const std::size_t stages = (runs + kStage - 1) / kStage;
    at.load(tiles.acc);
    for (std::size_t i = 0; i < stages; ++i) {
      const std::size_t begin = runs * i / stages;
      const std::size_t end = runs * (i + 1) / stages;
      for (std::size_t r = begin; r < end; ++r) {
        later.fetch_run(r);
        tiles.multiply_run(products, r, stage[r - begin]);
      }
      for (std::size_t r = begin; r < end; ++r) tiles.add_run(r, stage[r - begin]);
    }
    at.store(tiles.acc);
  }
};

/// The forms of 256 values on a panel P of signed codes.
template <class P, int kN, bool kWhole>
struct Tiles256 {
  static constexpr std::size_t kRun = P::kHalved ? 16 : 32;
  static constexpr std::size_t kRuns = kSuper / kRun;
  using At = TileAt<kN, kWhole>;

  /// total += the scales of run r times its sums.
  static CAIRN_INLINE void add_run(Ints scale, const TileSums& sums, Ints (&total)[kN]) {
    unrolled<0, kN>([&](auto t) CAIRN_INLINE {
      total[t] = add(total[t], cairn::kernels::CAIRN_TIER::multiply(load(sums[t]), scale));
    });
  }

  /// The float steps of a super-block.
  static CAIRN_INLINE void finish(const P& panel, const Ints (&total)[kN], const At& at) {
    unrolled<0, kN>([&](auto t) CAIRN_INLINE {
      if (!kWhole && std::size_t{t} >= at.count) return;
      Ints sums[1] = {total[t]};
      Floats acc[1] = {load_floats(at.y + kGroupRows * t)};
      Dot256<P>::finish(panel, at.token(t), sums, acc);
      store_floats(at.y + kGroupRows * t, acc[0]);
    });
  }

  static CAIRN_INLINE void add_block(const Products<kRun>& products, const P& panel, const At& at) {
    alignas(64) TileSums sums[kRuns];
    Ints total[kN];
    for (std::size_t r = 0; r < kRuns; ++r) {
      products.multiply(panel.at + r * kRun * kGroupRows, at, r * kRun, sums[r]);
    }
    unrolled<0, kN>([&](auto t) CAIRN_INLINE { total[t] = every(0); });
    for (std::size_t r = 0; r < kRuns; r += 2) {
      const Ints pairs = panel.scales(r / 2);
      add_run(word<0>(pairs), sums[r], total);
      add_run(word<1>(pairs), sums[r + 1], total);
    }
    finish(panel, total, at);
  }

  static void run(const Products<kRun>& products, const Piece& piece, At at, const Later& later) {
    for (std::size_t u = 0; u < piece.values / kSuper; ++u) {
      for (std::size_t r = 0; r < kRuns; ++r) later.fetch_run(u * kRuns + r);
      add_block(products, P(piece.packed + u * P::kBytes), at);
      at.rows.template advance<kSuper>();
    }
  }
};

/// A panel times all tokens of a task: whole tiles, then the rest. `later` is asked for meanwhile.
template <class P, template <class, int, bool> class Kernel, class Tiles>
inline void run_tiles(const Tiles& products, const Piece& piece, const DotRun& run, Later later) {
  std::size_t t = run.tokens.begin;
  float* y = run.y;
  constexpr int kN = int{kTileTokens};
  for (; t + kTileTokens <= run.tokens.end; t += kTileTokens, y += kTileTokens * kGroupRows) {
    Kernel<P, kN, true>::run(products, piece, {Rows<1>(run.x, t, piece.k0), kTileTokens, y}, later);
    later.bytes = 0;
  }
  const std::size_t rest = run.tokens.end - t;
  if (rest == 0) return;
  const Rows<1> rows(run.x, t, piece.k0);
  if (rest > kTileTokens / 2) {
    return Kernel<P, kN, false>::run(products, piece, {rows, rest, y}, later);
  }
  Kernel<P, kN / 2, false>::run(products, piece, {rows, rest, y}, later);
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
