// One and two bits per value with one scale: TQ1_0, TQ2_0, Q1_0, Q2_0.
#include "kernels/cpu/pack/formats.h"
#include "kernels/cpu/pack/interleave.h"
#include "tensor/quant/load.h"

namespace cairn::kernels {
namespace {

using tensor::load_u16;
using tensor::load_u8;

/// 256 values of -1, 0, 1 (and 2, which TQ2_0 can spell) with one scale for all.
struct Ternary : NoPlanes {
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kValues = 256;
  static constexpr int kPairShift = 0;
  static void finish(const ScaleView& view, Tile& tile) {
    subtract(tile, 8, 1);
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      for (std::size_t g = 0; g < 8; ++g) tile.scales[2 * g][r] = 1;
      tile.d[0][r] = view.half(0, r);
    }
  }
};

/// Five base-3 digits per byte in the file, two bits per value here: 22 % larger, and no division.
struct Tq10 : Ternary {
  static constexpr ElementType kType = ElementType::kTQ1_0;
  static std::uint8_t* read_digits(const std::byte* bytes, std::size_t count, std::size_t digits,
                                   std::uint8_t* q) {
    std::uint32_t power = 1;
    for (std::size_t n = 0; n < digits; ++n, power *= 3) {
      for (std::size_t i = 0; i < count; ++i) {
        *q++ = static_cast<std::uint8_t>((load_u8(bytes + i) * power & 255) * 3 >> 8);
      }
    }
    return q;
  }
  static void read(const std::byte* block, BlockCodes& codes) {
    std::uint8_t* q = read_digits(block, 32, 5, codes.q);
    q = read_digits(block + 32, 16, 5, q);
    read_digits(block + 48, 4, 4, q);
    codes.halves[0] = load_u16(block + 52);
  }
};

struct Tq20 : Ternary {
  static constexpr ElementType kType = ElementType::kTQ2_0;
  static void read(const std::byte* block, BlockCodes& codes) {
    for (std::size_t k = 0; k < 256; ++k) {
      const std::uint32_t four = load_u8(block + 32 * (k / 128) + k % 32);
      codes.q[k] = static_cast<std::uint8_t>(four >> (2 * (k / 32 % 4)) & 3);
    }
    codes.halves[0] = load_u16(block + 64);
  }
};

/// The same scale for each 32 values of a longer block.
template <std::size_t kSubs>
void repeat_scale(const ScaleView& view, Tile& tile) {
  for (std::size_t s = 0; s < kSubs; ++s) {
    for (std::size_t r = 0; r < kGroupRows; ++r) tile.d[s][r] = view.half(0, r);
  }
}

/// 128 signs.
struct Q10 : NoPlanes {
  static constexpr ElementType kType = ElementType::kQ1_0;
  static constexpr Form kForm = Form::kPlain32;
  static constexpr std::size_t kValues = 128;
  static constexpr int kBitShift = 0;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    for (std::size_t k = 0; k < 128; ++k) {
      codes.q[k] = static_cast<std::uint8_t>(load_u8(block + 2 + k / 8) >> (k % 8) & 1);
    }
  }
  static void finish(const ScaleView& view, Tile& tile) {
    std::int8_t* codes = &tile.codes[0][0][0];
    for (std::size_t i = 0; i < kValues * kGroupRows; ++i) {
      codes[i] = static_cast<std::int8_t>(2 * codes[i] - 1);
    }
    repeat_scale<4>(view, tile);
  }
};

/// 64 values of -1 to 2.
struct Q20 : NoPlanes {
  static constexpr ElementType kType = ElementType::kQ2_0;
  static constexpr Form kForm = Form::kPlain32;
  static constexpr std::size_t kValues = 64;
  static constexpr int kPairShift = 0;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    for (std::size_t k = 0; k < 64; ++k) {
      codes.q[k] = static_cast<std::uint8_t>(load_u8(block + 2 + k / 4) >> (2 * (k % 4)) & 3);
    }
  }
  static void finish(const ScaleView& view, Tile& tile) {
    subtract(tile, 2, 1);
    repeat_scale<2>(view, tile);
  }
};

}  // namespace

constinit const PackedFormat kPackedTq10 = Interleaved<Tq10>::row();
constinit const PackedFormat kPackedTq20 = Interleaved<Tq20>::row();
constinit const PackedFormat kPackedQ10 = Interleaved<Q10>::row();
constinit const PackedFormat kPackedQ20 = Interleaved<Q20>::row();

}  // namespace cairn::kernels
