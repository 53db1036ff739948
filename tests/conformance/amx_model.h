// The tiles of the AMX tier as scalar code: the names of kernels/cpu/amx/tiles.h, so that the
// tier's own files are built over it and their bits compared on machines that lack the
// instructions. What the processor would refuse (a tile that is not configured, shapes that do not
// fit) stops the test.
//
// Source: Intel 64 and IA-32 Software Developer's Manual, volume 2 (LDTILECFG, TILELOADD, TDPBSSD,
// TILESTORED, TILEZERO).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace cairn::kernels::CAIRN_TIER {
namespace {

class Tiles {
 public:
  explicit Tiles(const TileShape (&shapes)[kTiles]) {
    for (int i = 0; i < kTiles; ++i) {
      require(shapes[i].rows <= 16 && shapes[i].row_bytes <= 64);
      require((shapes[i].rows == 0) == (shapes[i].row_bytes == 0));
      shapes_[i] = shapes[i];
    }
  }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;

  template <int kTile>
  void load(const void* at, std::size_t stride) const {
    require(shapes_[kTile].rows != 0);
    std::memset(bytes_[kTile], 0, sizeof bytes_[kTile]);
    for (std::size_t r = 0; r < shapes_[kTile].rows; ++r) {
      std::memcpy(bytes_[kTile][r], static_cast<const std::byte*>(at) + r * stride,
                  shapes_[kTile].row_bytes);
    }
  }
  template <int kTile>
  void store(void* at, std::size_t stride) const {
    require(shapes_[kTile].rows != 0);
    for (std::size_t r = 0; r < shapes_[kTile].rows; ++r) {
      std::memcpy(static_cast<std::byte*>(at) + r * stride, bytes_[kTile][r],
                  shapes_[kTile].row_bytes);
    }
  }
  template <int kTile>
  void zero() const {
    require(shapes_[kTile].rows != 0);
    std::memset(bytes_[kTile], 0, sizeof bytes_[kTile]);
  }
  template <int kSums, int kA, int kB>
  void dot() const {
    const TileShape& sums = shapes_[kSums];
    const TileShape& a = shapes_[kA];
    const TileShape& b = shapes_[kB];
    require(kSums != kA && kSums != kB && kA != kB);
    require(sums.rows == a.rows && sums.row_bytes == b.row_bytes && a.row_bytes == 4 * b.rows);
    for (std::size_t m = 0; m < sums.rows; ++m) {
      for (std::size_t n = 0; n < sums.row_bytes / 4U; ++n) {
        std::int32_t total = 0;
        std::memcpy(&total, bytes_[kSums][m] + 4 * n, sizeof total);
        for (std::size_t k = 0; k < a.row_bytes; ++k) {
          const int left = std::to_integer<std::int8_t>(bytes_[kA][m][k]);
          total += left * std::to_integer<std::int8_t>(bytes_[kB][k / 4][4 * n + k % 4]);
        }
        std::memcpy(bytes_[kSums][m] + 4 * n, &total, sizeof total);
      }
    }
  }

 private:
  static void require(bool met) {
    if (!met) std::abort();
  }

  TileShape shapes_[kTiles] = {};
  mutable std::byte bytes_[kTiles][16][64] = {};
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
