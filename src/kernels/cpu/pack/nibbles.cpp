// Blocks of 32 with one scale: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0.
#include "kernels/cpu/pack/formats.h"
#include "kernels/cpu/pack/interleave.h"
#include "tensor/quant/load.h"

namespace cairn::kernels {
namespace {

using tensor::load_u16;
using tensor::load_u32;
using tensor::load_u8;

void split_nibbles(const std::byte* bytes, std::uint8_t* q) {
  for (std::size_t i = 0; i < 16; ++i) {
    q[i] = static_cast<std::uint8_t>(load_u8(bytes + i) & 15);
    q[i + 16] = static_cast<std::uint8_t>(load_u8(bytes + i) >> 4);
  }
}

void add_fifth_bits(const std::byte* bytes, std::uint8_t* q) {
  const std::uint32_t fifth = load_u32(bytes);
  for (std::size_t i = 0; i < 32; ++i) {
    q[i] = static_cast<std::uint8_t>(q[i] | (fifth >> i & 1) << 4);
  }
}

struct Block32 : NoPlanes {
  static constexpr std::size_t kValues = 32;
  static constexpr bool kNibbles = true;
  static constexpr Form kForm = Form::kPlain32;

  static void scale(const ScaleView& view, Tile& tile) {
    for (std::size_t r = 0; r < kGroupRows; ++r) tile.d[0][r] = view.half(0, r);
  }
  static void scale_and_minimum(const ScaleView& view, Tile& tile) {
    scale(view, tile);
    for (std::size_t r = 0; r < kGroupRows; ++r) tile.m[0][r] = view.half(1, r);
  }
};

struct Q40 : Block32 {
  static constexpr ElementType kType = ElementType::kQ4_0;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    split_nibbles(block + 2, codes.q);
  }
  static void finish(const ScaleView& view, Tile& tile) {
    subtract(tile, 1, 8);
    scale(view, tile);
  }
};

struct Q41 : Block32 {
  static constexpr ElementType kType = ElementType::kQ4_1;
  static constexpr Form kForm = Form::kMinimum32;
  static constexpr std::size_t kHalves = 2;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    codes.halves[1] = load_u16(block + 2);
    split_nibbles(block + 4, codes.q);
  }
  static void finish(const ScaleView& view, Tile& tile) { scale_and_minimum(view, tile); }
};

struct Q50 : Block32 {
  static constexpr ElementType kType = ElementType::kQ5_0;
  static constexpr int kBitShift = 4;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    split_nibbles(block + 6, codes.q);
    add_fifth_bits(block + 2, codes.q);
  }
  static void finish(const ScaleView& view, Tile& tile) {
    subtract(tile, 1, 16);
    scale(view, tile);
  }
};

struct Q51 : Block32 {
  static constexpr ElementType kType = ElementType::kQ5_1;
  static constexpr Form kForm = Form::kMinimum32;
  static constexpr int kBitShift = 4;
  static constexpr std::size_t kHalves = 2;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    codes.halves[1] = load_u16(block + 2);
    split_nibbles(block + 8, codes.q);
    add_fifth_bits(block + 4, codes.q);
  }
  static void finish(const ScaleView& view, Tile& tile) { scale_and_minimum(view, tile); }
};

/// Stored with the sign bit turned over, as unsigned bytes for the dot instructions that want one
/// unsigned side.
struct Q80 : Block32 {
  static constexpr ElementType kType = ElementType::kQ8_0;
  static constexpr bool kNibbles = false;
  static constexpr bool kBytePlane = true;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    for (std::size_t i = 0; i < 32; ++i) {
      codes.q[i] = static_cast<std::uint8_t>(load_u8(block + 2 + i) ^ 0x80U);
    }
  }
  static void finish(const ScaleView& view, Tile& tile) {
    std::int8_t* codes = &tile.codes[0][0][0];
    for (std::size_t i = 0; i < kGroupRows * kSubValues; ++i) {
      codes[i] = static_cast<std::int8_t>(codes[i] ^ -128);
    }
    scale(view, tile);
  }
};

}  // namespace

constinit const PackedFormat kPackedQ40 = Interleaved<Q40>::row();
constinit const PackedFormat kPackedQ41 = Interleaved<Q41>::row();
constinit const PackedFormat kPackedQ50 = Interleaved<Q50>::row();
constinit const PackedFormat kPackedQ51 = Interleaved<Q51>::row();
constinit const PackedFormat kPackedQ80 = Interleaved<Q80>::row();

}  // namespace cairn::kernels
