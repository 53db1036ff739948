// Nibbles that point into a table of sixteen values: IQ4_NL, IQ4_XS, MXFP4, NVFP4.
#include "kernels/cpu/pack/formats.h"
#include "kernels/cpu/pack/interleave.h"
#include "tensor/quant/fp4_values.h"
#include "tensor/quant/iq4_values.h"
#include "tensor/quant/load.h"
#include "tensor/quant/mxfp4.h"
#include "tensor/quant/nvfp4.h"

namespace cairn::kernels {
namespace {

using tensor::load_u16;
using tensor::load_u8;

/// `half` bytes hold values 0 to half - 1 in their low and the next ones in their high nibbles.
void split_nibbles(const std::byte* bytes, std::size_t half, std::uint8_t* q) {
  for (std::size_t i = 0; i < half; ++i) {
    q[i] = static_cast<std::uint8_t>(load_u8(bytes + i) & 15);
    q[i + half] = static_cast<std::uint8_t>(load_u8(bytes + i) >> 4);
  }
}

struct Iq4Nl : NoPlanes {
  static constexpr ElementType kType = ElementType::kIQ4_NL;
  static constexpr Form kForm = Form::kPlain32;
  static constexpr std::size_t kValues = 32;
  static constexpr bool kNibbles = true;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    split_nibbles(block + 2, 16, codes.q);
  }
  static void finish(const ScaleView& view, Tile& tile) {
    look_up(tile, 1, tensor::kIq4Values);
    for (std::size_t r = 0; r < kGroupRows; ++r) tile.d[0][r] = view.half(0, r);
  }
};

struct Iq4Xs : NoPlanes {
  static constexpr ElementType kType = ElementType::kIQ4_XS;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kValues = 256;
  static constexpr bool kNibbles = true;
  static constexpr std::size_t kScaleBytes = 8;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.halves[0] = load_u16(block);
    const std::uint32_t high = load_u16(block + 2);
    for (std::size_t g = 0; g < 8; ++g) {
      const std::uint32_t low = load_u8(block + 4 + g / 2) >> (4 * (g % 2)) & 15;
      codes.scales[g] = static_cast<std::uint8_t>((low | (high >> (2 * g) & 3) << 4) - 32U);
      split_nibbles(block + 8 + 16 * g, 16, codes.q + 32 * g);
    }
  }
  static void finish(const ScaleView& view, Tile& tile) {
    look_up(tile, 8, tensor::kIq4Values);
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      for (std::size_t g = 0; g < 8; ++g) {
        tile.scales[2 * g][r] = view.signed_byte(g, r);
      }
      tile.d[0][r] = view.half(0, r);
    }
  }
};

/// One power of two per 32 values; the table holds doubled values, so the scale is half of it.
struct Mxfp4 : NoPlanes {
  static constexpr ElementType kType = ElementType::kMXFP4;
  static constexpr Form kForm = Form::kPlain32;
  static constexpr std::size_t kValues = 32;
  static constexpr bool kNibbles = true;
  static constexpr std::size_t kScaleBytes = 1;
  static constexpr std::size_t kHalves = 0;
  static void read(const std::byte* block, BlockCodes& codes) {
    codes.scales[0] = static_cast<std::uint8_t>(load_u8(block));
    split_nibbles(block + 1, 16, codes.q);
  }
  static void finish(const ScaleView& view, Tile& tile) {
    look_up(tile, 1, tensor::kFp4DoubledValues);
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      tile.d[0][r] = tensor::mxfp4_half_scale(view.byte(0, r));
    }
  }
};

struct Nvfp4 : NoPlanes {
  static constexpr ElementType kType = ElementType::kNVFP4;
  static constexpr Form kForm = Form::kPlain16;
  static constexpr std::size_t kValues = 64;
  static constexpr bool kNibbles = true;
  static constexpr std::size_t kScaleBytes = 4;
  static constexpr std::size_t kHalves = 0;
  static void read(const std::byte* block, BlockCodes& codes) {
    for (std::size_t g = 0; g < 4; ++g) {
      codes.scales[g] = static_cast<std::uint8_t>(load_u8(block + g));
      split_nibbles(block + 4 + 8 * g, 8, codes.q + 16 * g);
    }
  }
  static void finish(const ScaleView& view, Tile& tile) {
    look_up(tile, 2, tensor::kFp4DoubledValues);
    for (std::size_t g = 0; g < 4; ++g) {
      for (std::size_t r = 0; r < kGroupRows; ++r) {
        tile.d[g][r] = tensor::nvfp4_half_scale(view.byte(g, r));
      }
    }
  }
};

}  // namespace

constinit const PackedFormat kPackedIq4Nl = Interleaved<Iq4Nl>::row();
constinit const PackedFormat kPackedIq4Xs = Interleaved<Iq4Xs>::row();
constinit const PackedFormat kPackedMxfp4 = Interleaved<Mxfp4>::row();
constinit const PackedFormat kPackedNvfp4 = Interleaved<Nvfp4>::row();

}  // namespace cairn::kernels
