// Indices into grids: IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S.
// Sixteen rows' source blocks lie together as they are in the file (no growth); the grid is looked
// up when a block is unpacked. A value of IQ1 is (g + delta) / 1 with delta = +-1/8, kept as the
// integer 8 g +- 1 under a scale of d / 8; IQ2 and IQ3 have (2 s + 1) under d / 8 and d / 4.
#include <cstring>

#include "kernels/cpu/pack/formats.h"
#include "kernels/cpu/pack/planes.h"
#include "tensor/quant/grids.h"
#include "tensor/quant/load.h"

namespace cairn::kernels {
namespace {

using tensor::load_f16;
using tensor::load_u16;
using tensor::load_u32;
using tensor::load_u8;
using tensor::signs_of;

/// One row of a super-block: codes, a scale per 16 values, and what multiplies both.
struct GridCodes {
  std::int8_t q[256] = {};
  std::int16_t scales[16] = {};
  float d = 0;
};

std::int16_t odd_scale(std::uint32_t s) { return static_cast<std::int16_t>(2 * s + 1); }

std::int8_t with_sign(std::uint32_t value, std::uint32_t negative) {
  const int signed_value = static_cast<int>(value);
  return static_cast<std::int8_t>((negative & 1) != 0 ? -signed_value : signed_value);
}

void put_iq2(std::uint32_t entry, std::uint32_t signs, std::int8_t* q) {
  for (std::size_t i = 0; i < 8; ++i) {
    q[i] = with_sign(tensor::kIq2Values[entry >> (2 * i) & 3], signs >> i);
  }
}

void put_iq3(std::uint32_t entry, const std::array<std::uint8_t, 8>& values, std::uint32_t signs,
             std::int8_t* q) {
  for (std::size_t i = 0; i < 4; ++i) {
    q[i] = with_sign(values[entry >> (4 * i) & 7], signs >> i);
  }
}

void put_iq1(std::uint32_t entry, bool negative_delta, std::int8_t* q) {
  for (std::size_t i = 0; i < 8; ++i) {
    const int g = static_cast<int>(entry >> (2 * i) & 3) - 1;
    q[i] = static_cast<std::int8_t>(8 * g + (negative_delta ? -1 : 1));
  }
}

struct Iq1S {
  static constexpr ElementType kType = ElementType::kIQ1_S;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kBytes = 50;
  static void read(const std::byte* block, GridCodes& codes) {
    codes.d = load_f16(block) * 0.125F;
    for (std::size_t g = 0; g < 8; ++g) {
      const std::uint32_t rest = load_u16(block + 34 + 2 * g);
      codes.scales[2 * g] = odd_scale(rest >> 12 & 7);
      for (std::size_t i = 0; i < 4; ++i) {
        const std::uint32_t index = load_u8(block + 2 + 4 * g + i) | (rest >> (3 * i) & 7) << 8;
        put_iq1(tensor::kGridIq1[index], (rest & 0x8000) != 0, codes.q + 32 * g + 8 * i);
      }
    }
  }
};

struct Iq1M {
  static constexpr ElementType kType = ElementType::kIQ1_M;
  static constexpr Form kForm = Form::kScaled16;
  static constexpr std::size_t kBytes = 56;
  static void read(const std::byte* block, GridCodes& codes) {
    std::uint32_t d_bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      d_bits |= static_cast<std::uint32_t>(load_u16(block + 48 + 2 * i) >> 12) << (4 * i);
    }
    codes.d = f16_to_f32(static_cast<std::uint16_t>(d_bits)) * 0.125F;
    for (std::size_t g = 0; g < 16; ++g) {
      const std::uint32_t three = load_u16(block + 48 + 2 * (g / 4));
      codes.scales[g] = odd_scale(three >> (3 * (g % 4)) & 7);
    }
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint32_t high = load_u8(block + 32 + i / 2) >> (4 * (i % 2)) & 15;
      const std::uint32_t index = load_u8(block + i) | (high & 7) << 8;
      put_iq1(tensor::kGridIq1[index], (high & 8) != 0, codes.q + 8 * i);
    }
  }
};

struct Iq2Xxs {
  static constexpr ElementType kType = ElementType::kIQ2_XXS;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kBytes = 66;
  static void read(const std::byte* block, GridCodes& codes) {
    codes.d = load_f16(block) * 0.125F;
    for (std::size_t g = 0; g < 8; ++g) {
      const std::byte* group = block + 2 + 8 * g;
      const std::uint32_t rest = load_u32(group + 4);
      codes.scales[2 * g] = odd_scale(rest >> 28);
      for (std::size_t i = 0; i < 4; ++i) {
        put_iq2(tensor::kGridIq2Xxs[load_u8(group + i)], signs_of(rest >> (7 * i) & 127),
                codes.q + 32 * g + 8 * i);
      }
    }
  }
};

/// Four-bit scales per 16 values.
void read_nibble_scales(const std::byte* bytes, GridCodes& codes) {
  for (std::size_t g = 0; g < 16; ++g) {
    codes.scales[g] = odd_scale(load_u8(bytes + g / 2) >> (4 * (g % 2)) & 15);
  }
}

struct Iq2Xs {
  static constexpr ElementType kType = ElementType::kIQ2_XS;
  static constexpr Form kForm = Form::kScaled16;
  static constexpr std::size_t kBytes = 74;
  static void read(const std::byte* block, GridCodes& codes) {
    codes.d = load_f16(block) * 0.125F;
    read_nibble_scales(block + 66, codes);
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint32_t code = load_u16(block + 2 + 2 * i);
      put_iq2(tensor::kGridIq2Xs[code & 511], signs_of(code >> 9), codes.q + 8 * i);
    }
  }
};

struct Iq2S {
  static constexpr ElementType kType = ElementType::kIQ2_S;
  static constexpr Form kForm = Form::kScaled16;
  static constexpr std::size_t kBytes = 82;
  static void read(const std::byte* block, GridCodes& codes) {
    codes.d = load_f16(block) * 0.125F;
    read_nibble_scales(block + 74, codes);
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint32_t high = load_u8(block + 66 + i / 4) >> (2 * (i % 4)) & 3;
      const std::uint32_t index = load_u8(block + 2 + i) | high << 8;
      put_iq2(tensor::kGridIq2S[index], load_u8(block + 34 + i), codes.q + 8 * i);
    }
  }
};

struct Iq3Xxs {
  static constexpr ElementType kType = ElementType::kIQ3_XXS;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kBytes = 98;
  static void read(const std::byte* block, GridCodes& codes) {
    codes.d = load_f16(block) * 0.25F;
    for (std::size_t g = 0; g < 8; ++g) {
      const std::uint32_t rest = load_u32(block + 66 + 4 * g);
      codes.scales[2 * g] = odd_scale(rest >> 28);
      for (std::size_t i = 0; i < 8; ++i) {
        const std::uint32_t signs = signs_of(rest >> (7 * (i / 2)) & 127) >> (4 * (i % 2));
        put_iq3(tensor::kGridIq3Xxs[load_u8(block + 2 + 8 * g + i)], tensor::kIq3XxsValues, signs,
                codes.q + 32 * g + 4 * i);
      }
    }
  }
};

struct Iq3S {
  static constexpr ElementType kType = ElementType::kIQ3_S;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kBytes = 110;
  static void read(const std::byte* block, GridCodes& codes) {
    codes.d = load_f16(block);
    for (std::size_t g = 0; g < 8; ++g) {
      codes.scales[2 * g] = odd_scale(load_u8(block + 106 + g / 2) >> (4 * (g % 2)) & 15);
    }
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t ninth = load_u8(block + 66 + i / 8) >> (i % 8) & 1;
      const std::uint32_t signs = load_u8(block + 74 + i / 2) >> (4 * (i % 2));
      put_iq3(tensor::kGridIq3S[load_u8(block + 2 + i) | ninth << 8], tensor::kIq3SValues, signs,
              codes.q + 4 * i);
    }
  }
};

template <class F>
void pack(const std::byte* const* rows, std::byte* out) {
  for (std::size_t r = 0; r < kGroupRows; ++r) std::memcpy(out + F::kBytes * r, rows[r], F::kBytes);
}

template <class F>
void unpack(const std::byte* packed, Tile& tile) {
  GridCodes codes;
  for (std::size_t r = 0; r < kGroupRows; ++r) {
    F::read(packed + F::kBytes * r, codes);
    for (std::size_t s = 0; s < kSubsMax; ++s) {
      std::memcpy(tile.codes[s][r], codes.q + kSubValues * s, kSubValues);
    }
    for (std::size_t g = 0; g < 16; ++g) tile.scales[g][r] = codes.scales[g];
    tile.d[0][r] = codes.d;
  }
}

template <class F>
constexpr PackedFormat row() {
  return {F::kType, F::kForm, 256, kGroupRows * F::kBytes, &pack<F>, &unpack<F>};
}

}  // namespace

constinit const PackedFormat kPackedIq1S = row<Iq1S>();
constinit const PackedFormat kPackedIq1M = row<Iq1M>();
constinit const PackedFormat kPackedIq2Xxs = row<Iq2Xxs>();
constinit const PackedFormat kPackedIq2Xs = row<Iq2Xs>();
constinit const PackedFormat kPackedIq2S = row<Iq2S>();
constinit const PackedFormat kPackedIq3Xxs = row<Iq3Xxs>();
constinit const PackedFormat kPackedIq3S = row<Iq3S>();

}  // namespace cairn::kernels
