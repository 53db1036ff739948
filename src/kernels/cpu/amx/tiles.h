// tiles: the tile interface by name (configure, load, dot, store, zero, release), so that tests can
// put a scalar model in its place (tests/conformance/amx_model.h has the same names;
// CAIRN_AMX_MODEL names that header).
#pragma once

#define CAIRN_TIER amx

#include "kernels/cpu/avx512vnni/vectors.h"

namespace cairn::kernels::CAIRN_TIER {
namespace {

/// What each tile register holds: rows, and bytes of a row; 0: not used.
struct TileShape {
  std::uint8_t rows = 0;
  std::uint16_t row_bytes = 0;
};
inline constexpr int kTiles = 8;

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER

#if defined(CAIRN_AMX_MODEL)
#include CAIRN_AMX_MODEL
#else

namespace cairn::kernels::CAIRN_TIER {
namespace {

/// Tiles of the shapes given, while it lives. Source: Intel 64 and IA-32 Software Developer's
/// Manual, volume 2, LDTILECFG (palette 1), TILELOADD, TDPBSSD, TILESTORED, TILEZERO, TILERELEASE.
class Tiles {
 public:
  explicit CAIRN_INLINE Tiles(const TileShape (&shapes)[kTiles]) {
    Config config;
    for (int i = 0; i < kTiles; ++i) {
      config.row_bytes[i] = shapes[i].row_bytes;
      config.rows[i] = shapes[i].rows;
    }
    __asm__ volatile("ldtilecfg %0" : : "m"(config));
  }
  CAIRN_INLINE ~Tiles() { __asm__ volatile("tilerelease" : : : "memory"); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;

  /// Rows at `at`, `stride` bytes apart.
  template <int kTile>
  CAIRN_INLINE void load(const void* at, std::size_t stride) const {
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm%c2"
                     :
                     : "r"(at), "r"(stride), "i"(kTile)
                     : "memory");
  }
  template <int kTile>
  CAIRN_INLINE void store(void* at, std::size_t stride) const {
    __asm__ volatile("tilestored %%tmm%c2, (%0,%1,1)"
                     :
                     : "r"(at), "r"(stride), "i"(kTile)
                     : "memory");
  }
  template <int kTile>
  CAIRN_INLINE void zero() const {
    __asm__ volatile("tilezero %%tmm%c0" : : "i"(kTile));
  }
  /// sums [m][n] += signed bytes of a [m][4 k] times signed bytes of b [k][4 n].
  template <int kSums, int kA, int kB>
  CAIRN_INLINE void dot() const {
    __asm__ volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSums), "i"(kA), "i"(kB));
  }

 private:
  struct alignas(64) Config {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};
  };
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
#endif
