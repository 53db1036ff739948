// Planes: how the bits of codes lie in a packed block of 16 rows
// (reference/cpu-performance.md 4.1).
//
// Purpose     writers for packing, readers for unpacking, shared by every format.
// Invariants  a 64-byte vector holds 4 consecutive k of 16 rows: byte 4 r + j is row r, k + j.
//             nibbles  per 32 k, 256 bytes: vector v has k = 4 v in its low and 16 + 4 v in its
//             high
//                      nibbles
//             bits     per 32 k, 64 bytes: bit v of a byte belongs to k = 4 v
//             pairs    per V = 64 or 128 k, 4 V bytes: field f of vector w is k = (V / 4) f + 4 w
//             bytes    per 32 k, 512 bytes: vector v has k = 4 v
// Threads     pure functions.
// Adding      a plane: its layout above, a writer and a reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/cpu/pack/tile.h"

namespace cairn::kernels {

/// One source block of one row, before interleaving.
struct BlockCodes {
  std::uint8_t q[kSubsMax * kSubValues] = {};
  std::uint8_t scales[16] = {};  // bytes the format keeps per row
  std::uint16_t halves[2] = {};  // f16 numbers the format keeps per row
};

/// The layouts above as numbers: bytes of a plane per row group and 32 values.
inline constexpr std::size_t kNibblesBytes = 256;
inline constexpr std::size_t kBitsBytes = 64;
inline constexpr std::size_t kPairsBytes = 128;
inline constexpr std::size_t kBytesBytes = 512;

/// The same for a super-block of 256 values.
inline constexpr std::size_t kSuperNibbles = 8 * kNibblesBytes;
inline constexpr std::size_t kSuperBits = 8 * kBitsBytes;
inline constexpr std::size_t kSuperPairs = 8 * kPairsBytes;

/// Where sub-block `s` of 32 values finds its part of a super-block's plane; four share their
/// pairs.
inline const std::byte* nibbles_of(const std::byte* plane, std::size_t s) {
  return plane + kNibblesBytes * s;
}
inline const std::byte* bits_of(const std::byte* plane, std::size_t s) {
  return plane + kBitsBytes * s;
}
inline const std::byte* pairs_of(const std::byte* plane, std::size_t s) {
  return plane + 4 * kPairsBytes * (s / 4);
}

/// Four bytes at any alignment.
inline std::uint32_t load_word(const void* at) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}
/// The counterpart of load_word.
inline void store_word(void* at, std::uint32_t word) { std::memcpy(at, &word, sizeof word); }

/// Four codes of row `r` from value k on.
inline std::uint32_t four_codes(const BlockCodes* rows, std::size_t r, std::size_t k) {
  return load_word(rows[r].q + k);
}

/// `rows` are kGroupRows blocks; `k0` is the first value of the 32 written at `out`.
inline void write_nibbles(const BlockCodes* rows, std::size_t k0, std::byte* out) {
  for (std::size_t v = 0; v < 4; ++v) {
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      const std::uint32_t low = four_codes(rows, r, k0 + 4 * v) & 0x0F0F0F0FU;
      const std::uint32_t high = four_codes(rows, r, k0 + 16 + 4 * v) & 0x0F0F0F0FU;
      store_word(out + 64 * v + 4 * r, low | high << 4);
    }
  }
}

/// Bit `shift` of 32 codes of every row.
inline void write_bits(const BlockCodes* rows, std::size_t k0, unsigned shift, std::byte* out) {
  for (std::size_t r = 0; r < kGroupRows; ++r) {
    std::uint32_t bits = 0;
    for (std::size_t v = 0; v < 8; ++v) {
      bits |= (four_codes(rows, r, k0 + 4 * v) >> shift & 0x01010101U) << v;
    }
    store_word(out + 4 * r, bits);
  }
}

/// Bits `shift` and `shift` + 1 of `values` codes of every row.
inline void write_pairs(const BlockCodes* rows, std::size_t k0, std::size_t values, unsigned shift,
                        std::byte* out) {
  for (std::size_t w = 0; w < values / 16; ++w) {
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      std::uint32_t bits = 0;
      for (unsigned f = 0; f < 4; ++f) {
        const std::size_t k = k0 + f * (values / 4) + 4 * w;
        bits |= (four_codes(rows, r, k) >> shift & 0x03030303U) << (2 * f);
      }
      store_word(out + 64 * w + 4 * r, bits);
    }
  }
}

/// 32 whole codes of every row.
inline void write_bytes(const BlockCodes* rows, std::size_t k0, std::byte* out) {
  for (std::size_t v = 0; v < 8; ++v) {
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      store_word(out + 64 * v + 4 * r, four_codes(rows, r, k0 + 4 * v));
    }
  }
}

using SubCodes = std::int8_t[kGroupRows][kSubValues];

/// Sets 32 codes of every row to their low four bits.
inline void read_nibbles(const std::byte* in, SubCodes& codes) {
  for (std::size_t v = 0; v < 4; ++v) {
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      const std::uint32_t word = load_word(in + 64 * v + 4 * r);
      store_word(&codes[r][4 * v], word & 0x0F0F0F0FU);
      store_word(&codes[r][16 + 4 * v], word >> 4 & 0x0F0F0F0FU);
    }
  }
}

/// Sets, or with `kOr` adds to what stands there.
enum class Into : std::uint8_t { kSet, kOr };

/// Four codes at once.
template <Into kInto>
void put_word(std::int8_t* at, std::uint32_t word) {
  if constexpr (kInto == Into::kOr) word |= load_word(at);
  store_word(at, word);
}

/// The bit plane of 32 codes of every row, at bit `shift`.
template <Into kInto>
void read_bits(const std::byte* in, unsigned shift, SubCodes& codes) {
  for (std::size_t r = 0; r < kGroupRows; ++r) {
    const std::uint32_t word = load_word(in + 4 * r);
    for (std::size_t v = 0; v < 8; ++v) {
      put_word<kInto>(&codes[r][4 * v], (word >> v & 0x01010101U) << shift);
    }
  }
}

/// The pair plane of `values` codes of every row, at bit `shift`.
template <Into kInto>
void read_pairs(const std::byte* in, std::size_t values, unsigned shift, SubCodes* subs) {
  for (std::size_t w = 0; w < values / 16; ++w) {
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      const std::uint32_t word = load_word(in + 64 * w + 4 * r);
      for (unsigned f = 0; f < 4; ++f) {
        const std::size_t k = f * (values / 4) + 4 * w;
        put_word<kInto>(&subs[k / kSubValues][r][k % kSubValues], (word >> (2 * f) & 0x03030303U)
                                                                      << shift);
      }
    }
  }
}

/// 32 whole codes of every row.
inline void read_bytes(const std::byte* in, SubCodes& codes) {
  for (std::size_t v = 0; v < 8; ++v) {
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      store_word(&codes[r][4 * v], load_word(in + 64 * v + 4 * r));
    }
  }
}

}  // namespace cairn::kernels
