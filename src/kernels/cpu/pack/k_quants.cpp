// Super-blocks of 256: Q2_K, Q3_K, Q4_K, Q5_K, Q6_K. Their six-bit scales are kept as bytes.
#include "kernels/cpu/pack/formats.h"
#include "kernels/cpu/pack/interleave.h"
#include "tensor/quant/k_scales.h"
#include "tensor/quant/load.h"

namespace cairn::kernels {
namespace {

using tensor::load_u16;
using tensor::load_u8;

struct Super : NoPlanes {
  static constexpr std::size_t kValues = 256;

  static void super_scale(const ScaleView& view, Tile& tile) {
    for (std::size_t r = 0; r < kGroupRows; ++r) tile.d[0][r] = view.half(0, r);
  }
  /// The files subtract minimums; adding the negated product is the same number.
  static void super_minimum(const ScaleView& view, Tile& tile) {
    for (std::size_t r = 0; r < kGroupRows; ++r) tile.m[0][r] = -view.half(1, r);
  }
};

/// Q2_K: 16 groups of 16, a byte of scale and minimum nibbles each.
struct Q2K : Super {
  static constexpr ElementType kType = ElementType::kQ2_K;
  static constexpr Form kForm = Form::kScaledMin16;
  static constexpr int kPairShift = 0;
  static constexpr std::size_t kScaleBytes = 16;
  static constexpr std::size_t kHalves = 2;

  static void read(const std::byte* block, BlockCodes& codes) {
    for (std::size_t i = 0; i < 16; ++i) {
      codes.scales[i] = static_cast<std::uint8_t>(load_u8(block + i));
    }
    for (std::size_t k = 0; k < 256; ++k) {
      const std::uint32_t four = load_u8(block + 16 + 32 * (k / 128) + k % 32);
      codes.q[k] = static_cast<std::uint8_t>(four >> (2 * (k / 32 % 4)) & 3);
    }
    codes.halves[0] = load_u16(block + 80);
    codes.halves[1] = load_u16(block + 82);
  }
  static void finish(const ScaleView& view, Tile& tile) {
    for (std::size_t g = 0; g < 16; ++g) {
      for (std::size_t r = 0; r < kGroupRows; ++r) {
        tile.scales[g][r] = static_cast<std::int16_t>(view.byte(g, r) & 15);
        tile.minimums[g][r] = static_cast<std::int16_t>(view.byte(g, r) >> 4);
      }
    }
    super_scale(view, tile);
    super_minimum(view, tile);
  }
};

/// Signed scale bytes per group of 16.
void signed_scales_16(const ScaleView& view, Tile& tile) {
  for (std::size_t g = 0; g < 16; ++g) {
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      tile.scales[g][r] = view.signed_byte(g, r);
    }
  }
}

/// Q3_K: the third bit of a code stands in a plane of its own.
struct Q3K : Super {
  static constexpr ElementType kType = ElementType::kQ3_K;
  static constexpr Form kForm = Form::kScaled16;
  static constexpr int kPairShift = 0;
  static constexpr int kBitShift = 2;
  static constexpr std::size_t kScaleBytes = 16;

  static void read(const std::byte* block, BlockCodes& codes) {
    for (std::size_t g = 0; g < 16; ++g) {
      const std::uint32_t pair = load_u8(block + 96 + g % 8);
      const std::uint32_t low = g < 8 ? pair & 15 : pair >> 4;
      const std::uint32_t high = load_u8(block + 104 + g % 4) >> (2 * (g / 4)) & 3;
      codes.scales[g] = static_cast<std::uint8_t>((low | high << 4) - 32U);
    }
    for (std::size_t k = 0; k < 256; ++k) {
      const std::uint32_t four = load_u8(block + 32 + 32 * (k / 128) + k % 32);
      const std::uint32_t third = load_u8(block + k % 32) >> (k / 32) & 1;
      codes.q[k] = static_cast<std::uint8_t>((four >> (2 * (k / 32 % 4)) & 3) | third << 2);
    }
    codes.halves[0] = load_u16(block + 108);
  }
  static void finish(const ScaleView& view, Tile& tile) {
    subtract(tile, 8, 4);
    signed_scales_16(view, tile);
    super_scale(view, tile);
  }
};

/// Q4_K and Q5_K: 8 groups of 32 with a scale and a minimum each, scales first.
struct K45 : Super {
  static constexpr Form kForm = Form::kScaledMin32;
  static constexpr bool kNibbles = true;
  static constexpr std::size_t kScaleBytes = 16;
  static constexpr std::size_t kHalves = 2;

  static void read_scales(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    codes.halves[1] = load_u16(block + 2);
    for (std::size_t g = 0; g < 8; ++g) {
      const tensor::KScale pair = tensor::k_scale(block + 4, g);
      codes.scales[g] = static_cast<std::uint8_t>(pair.scale);
      codes.scales[8 + g] = static_cast<std::uint8_t>(pair.minimum);
    }
  }
  static std::uint32_t nibble(const std::byte* bytes, std::size_t k) {
    return load_u8(bytes + 32 * (k / 64) + k % 32) >> (4 * (k / 32 % 2)) & 15;
  }
  static void finish(const ScaleView& view, Tile& tile) {
    for (std::size_t g = 0; g < 8; ++g) {
      for (std::size_t r = 0; r < kGroupRows; ++r) {
        tile.scales[2 * g][r] = view.byte(g, r);
        tile.minimums[2 * g][r] = view.byte(8 + g, r);
      }
    }
    super_scale(view, tile);
    super_minimum(view, tile);
  }
};

struct Q4K : K45 {
  static constexpr ElementType kType = ElementType::kQ4_K;
  static void read(const std::byte* block, BlockCodes& codes) {
    read_scales(block, codes);
    for (std::size_t k = 0; k < 256; ++k) {
      codes.q[k] = static_cast<std::uint8_t>(nibble(block + 16, k));
    }
  }
};

struct Q5K : K45 {
  static constexpr ElementType kType = ElementType::kQ5_K;
  static constexpr int kBitShift = 4;
  static void read(const std::byte* block, BlockCodes& codes) {
    read_scales(block, codes);
    for (std::size_t k = 0; k < 256; ++k) {
      const std::uint32_t fifth = load_u8(block + 16 + k % 32) >> (k / 32) & 1;
      codes.q[k] = static_cast<std::uint8_t>(nibble(block + 48, k) | fifth << 4);
    }
  }
};

struct Q6K : Super {
  static constexpr ElementType kType = ElementType::kQ6_K;
  static constexpr Form kForm = Form::kScaled16;
  static constexpr bool kNibbles = true;
  static constexpr int kPairShift = 4;
  static constexpr std::size_t kScaleBytes = 16;

  static void read(const std::byte* block, BlockCodes& codes) {
    for (std::size_t k = 0; k < 256; ++k) {
      const std::size_t quarter = k / 32 % 4;
      const std::size_t at = 64 * (k / 128) + 32 * (quarter % 2) + k % 32;
      const std::uint32_t low = load_u8(block + at) >> (4 * (quarter / 2)) & 15;
      const std::uint32_t high = load_u8(block + 128 + 32 * (k / 128) + k % 32) >> (2 * quarter);
      codes.q[k] = static_cast<std::uint8_t>(low | (high & 3) << 4);
    }
    for (std::size_t g = 0; g < 16; ++g) {
      codes.scales[g] = static_cast<std::uint8_t>(load_u8(block + 192 + g));
    }
    codes.halves[0] = load_u16(block + 208);
  }
  static void finish(const ScaleView& view, Tile& tile) {
    subtract(tile, 8, 32);
    signed_scales_16(view, tile);
    super_scale(view, tile);
  }
};

}  // namespace

constinit const PackedFormat kPackedQ2K = Interleaved<Q2K>::row();
constinit const PackedFormat kPackedQ3K = Interleaved<Q3K>::row();
constinit const PackedFormat kPackedQ4K = Interleaved<Q4K>::row();
constinit const PackedFormat kPackedQ5K = Interleaved<Q5K>::row();
constinit const PackedFormat kPackedQ6K = Interleaved<Q6K>::row();

}  // namespace cairn::kernels
