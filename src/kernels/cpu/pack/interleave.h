// interleave: builds a PackedFormat from a description of one format.
//
// A format F states
//   kType, kForm, kValues (per source block), kBytes (of a source block)
//   kNibbles, kBitShift, kPairShift, kBytePlane: its planes; a shift of -1 means no such plane
//   kScaleBytes, kHalves: bytes and f16 numbers per row that follow the planes
//   read(block, codes): takes a source block apart
//   finish(view, tile): turns unsigned codes, scale bytes and f16 numbers into the tile
#pragma once

#include <array>

#include "base/float16.h"
#include "kernels/cpu/pack/packed_format.h"
#include "kernels/cpu/pack/planes.h"

namespace cairn::kernels {

/// The part of a packed block behind its planes.
struct ScaleView {
  const std::byte* scales = nullptr;
  const std::byte* halves = nullptr;
  std::size_t count = 0;

  /// Scale byte `i` of row `r`: pairs of scales lie together, row by row.
  std::uint8_t byte(std::size_t i, std::size_t r) const {
    const std::size_t at = count == 1 ? r : i / 2 * 32 + 2 * r + i % 2;
    return std::to_integer<std::uint8_t>(scales[at]);
  }
  std::int16_t signed_byte(std::size_t i, std::size_t r) const {
    const int value = byte(i, r);
    return static_cast<std::int16_t>(value < 128 ? value : value - 256);
  }
  float half(std::size_t i, std::size_t r) const {
    std::uint16_t bits = 0;
    std::memcpy(&bits, halves + 2 * (kGroupRows * i + r), sizeof bits);
    return f16_to_f32(bits);
  }
};

template <class F>
struct Interleaved {
  static constexpr std::size_t kSubs = F::kValues / kSubValues;
  static constexpr std::size_t kPairValues = F::kValues < 128 ? F::kValues : 128;
  static constexpr std::size_t kNibblesAt = 0;
  static constexpr std::size_t kBitsAt = kNibblesAt + (F::kNibbles ? kSubs * kNibblesBytes : 0);
  static constexpr std::size_t kPairsAt = kBitsAt + (F::kBitShift >= 0 ? kSubs * kBitsBytes : 0);
  static constexpr std::size_t kBytesAt = kPairsAt + (F::kPairShift >= 0 ? kSubs * kPairsBytes : 0);
  static constexpr std::size_t kScalesAt = kBytesAt + (F::kBytePlane ? kSubs * kBytesBytes : 0);
  static constexpr std::size_t kHalvesAt = kScalesAt + kGroupRows * F::kScaleBytes;
  static constexpr std::size_t kSize = kHalvesAt + 2 * kGroupRows * F::kHalves;

  static void write_planes(const BlockCodes* codes, std::byte* out) {
    for (std::size_t s = 0; s < kSubs; ++s) {
      const std::size_t k0 = s * kSubValues;
      if constexpr (F::kNibbles) write_nibbles(codes, k0, out + kNibblesAt + s * kNibblesBytes);
      if constexpr (F::kBitShift >= 0) {
        write_bits(codes, k0, F::kBitShift, out + kBitsAt + s * kBitsBytes);
      }
      if constexpr (F::kBytePlane) write_bytes(codes, k0, out + kBytesAt + s * kBytesBytes);
    }
    if constexpr (F::kPairShift >= 0) {
      for (std::size_t k0 = 0; k0 < F::kValues; k0 += kPairValues) {
        write_pairs(codes, k0, kPairValues, F::kPairShift, out + kPairsAt + 4 * k0);
      }
    }
  }

  static void pack(const std::byte* const* rows, std::byte* out) {
    std::array<BlockCodes, kGroupRows> codes;
    for (std::size_t r = 0; r < kGroupRows; ++r) F::read(rows[r], codes[r]);
    write_planes(codes.data(), out);
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      for (std::size_t i = 0; i < F::kScaleBytes; ++i) {
        const std::size_t at = F::kScaleBytes == 1 ? r : i / 2 * 32 + 2 * r + i % 2;
        out[kScalesAt + at] = static_cast<std::byte>(codes[r].scales[i]);
      }
      for (std::size_t i = 0; i < F::kHalves; ++i) {
        std::memcpy(out + kHalvesAt + 2 * (kGroupRows * i + r), &codes[r].halves[i], 2);
      }
    }
  }

  static void read_planes(const std::byte* in, Tile& tile) {
    constexpr Into kNext = F::kNibbles ? Into::kOr : Into::kSet;
    constexpr Into kLast = F::kNibbles || F::kPairShift >= 0 ? Into::kOr : Into::kSet;
    for (std::size_t s = 0; s < kSubs; ++s) {
      if constexpr (F::kNibbles) read_nibbles(in + kNibblesAt + s * kNibblesBytes, tile.codes[s]);
      if constexpr (F::kBytePlane) read_bytes(in + kBytesAt + s * kBytesBytes, tile.codes[s]);
    }
    if constexpr (F::kPairShift >= 0) {
      for (std::size_t k0 = 0; k0 < F::kValues; k0 += kPairValues) {
        read_pairs<kNext>(in + kPairsAt + 4 * k0, kPairValues, F::kPairShift,
                          tile.codes + k0 / kSubValues);
      }
    }
    if constexpr (F::kBitShift >= 0) {
      for (std::size_t s = 0; s < kSubs; ++s) {
        read_bits<kLast>(in + kBitsAt + s * kBitsBytes, F::kBitShift, tile.codes[s]);
      }
    }
  }

  static void unpack(const std::byte* in, Tile& tile) {
    read_planes(in, tile);
    F::finish(ScaleView{in + kScalesAt, in + kHalvesAt, F::kScaleBytes}, tile);
  }

  static constexpr PackedFormat row() {
    return {F::kType, F::kForm, F::kValues, kSize, &pack, &unpack};
  }
};

/// Defaults that a format overrides.
struct NoPlanes {
  static constexpr bool kNibbles = false;
  static constexpr bool kBytePlane = false;
  static constexpr int kBitShift = -1;
  static constexpr int kPairShift = -1;
  static constexpr std::size_t kScaleBytes = 0;
  static constexpr std::size_t kHalves = 1;
};

/// codes -= offset, in the first `subs` sub-blocks.
inline void subtract(Tile& tile, std::size_t subs, int offset) {
  std::int8_t* codes = &tile.codes[0][0][0];
  for (std::size_t i = 0; i < subs * kGroupRows * kSubValues; ++i) {
    codes[i] = static_cast<std::int8_t>(codes[i] - offset);
  }
}

/// codes = table[codes], in the first `subs` sub-blocks.
inline void look_up(Tile& tile, std::size_t subs, const std::array<std::int8_t, 16>& table) {
  std::int8_t* codes = &tile.codes[0][0][0];
  for (std::size_t i = 0; i < subs * kGroupRows * kSubValues; ++i) {
    codes[i] = table[static_cast<std::uint8_t>(codes[i]) & 15];
  }
}

}  // namespace cairn::kernels
