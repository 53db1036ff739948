// Indices into grids: IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S.
// Sixteen rows' source blocks lie together as they are in the file (no growth); the grid is looked
// up when a block is unpacked. A value of IQ1 is (g + delta) / 1 with delta = +-1/8, kept as the
// integer 8 g +- 1 under a scale of d / 8; IQ2 and IQ3 have (2 s + 1) under d / 8 and d / 4.
#include "kernels/cpu/pack/grids.h"

#include <array>
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

std::int16_t odd_scale(std::uint32_t s) { return static_cast<std::int16_t>(2 * s + 1); }

/// Every byte of a word.
constexpr std::uint64_t every(std::uint64_t byte) { return byte * 0x0101010101010101U; }

/// A grid's entries as the bytes they stand for: kCount values of kBits each.
template <std::size_t kCount, unsigned kBits, class Values, std::size_t kEntries>
std::array<std::uint64_t, kEntries> spelt_out(const std::array<std::uint16_t, kEntries>& grid,
                                              const Values& values) {
  std::array<std::uint64_t, kEntries> words = {};
  for (std::size_t e = 0; e < kEntries; ++e) {
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::uint64_t digit = grid[e] >> (kBits * i) & (values.size() - 1);
      words[e] |= std::uint64_t{values[digit]} << (8 * i);
    }
  }
  return words;
}

/// All bits of byte i where bit i is set.
std::array<std::uint64_t, 256> sign_masks() {
  std::array<std::uint64_t, 256> masks = {};
  for (std::size_t signs = 0; signs < masks.size(); ++signs) {
    for (std::size_t i = 0; i < 8; ++i) {
      if ((signs >> i & 1) != 0) masks[signs] |= std::uint64_t{0xFF} << (8 * i);
    }
  }
  return masks;
}

/// 8 g + 9 for g = -1, 0, 1: positive bytes, so that subtracting borrows nothing.
constexpr std::array<std::uint8_t, 4> kIq1Values = {1, 9, 17, 0};

/// What readers look up, made once.
struct Lookup {
  std::array<std::uint64_t, 256> signs = sign_masks();
  std::array<std::uint64_t, 128> seven_signs = {};
  std::array<std::uint64_t, 256> iq2_xxs = spelt_out<8, 2>(tensor::kGridIq2Xxs, tensor::kIq2Values);
  std::array<std::uint64_t, 512> iq2_xs = spelt_out<8, 2>(tensor::kGridIq2Xs, tensor::kIq2Values);
  std::array<std::uint64_t, 1024> iq2_s = spelt_out<8, 2>(tensor::kGridIq2S, tensor::kIq2Values);
  std::array<std::uint64_t, 2048> iq1 = spelt_out<8, 2>(tensor::kGridIq1, kIq1Values);
  std::array<std::uint64_t, 256> iq3_xxs =
      spelt_out<4, 4>(tensor::kGridIq3Xxs, tensor::kIq3XxsValues);
  std::array<std::uint64_t, 512> iq3_s = spelt_out<4, 4>(tensor::kGridIq3S, tensor::kIq3SValues);

  Lookup() {
    for (std::uint32_t i = 0; i < 128; ++i) seven_signs[i] = signs[signs_of(i)];
  }
};

const Lookup& lookup() {
  static const Lookup kLookup;
  return kLookup;
}

/// Eight values, negative where the mask says; none of them is 0, so nothing is carried.
void put_signed(std::uint64_t values, std::uint64_t mask, std::int8_t* q) {
  const std::uint64_t word = (values ^ mask) + (mask & every(1));
  std::memcpy(q, &word, sizeof word);
}

/// Eight values 8 g +- 1.
void put_iq1(std::uint64_t values, bool negative_delta, std::int8_t* q) {
  const std::uint64_t taken = negative_delta ? every(10) : every(8);
  const std::uint64_t word = ((values | every(0x80)) - taken) ^ every(0x80);
  std::memcpy(q, &word, sizeof word);
}

struct Iq1S {
  static constexpr ElementType kType = ElementType::kIQ1_S;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kBytes = 50;
  static void read(const std::byte* block, GridCodes& codes) {
    const Lookup& table = lookup();
    codes.d = load_f16(block) * 0.125F;
    for (std::size_t g = 0; g < 8; ++g) {
      const std::uint32_t rest = load_u16(block + 34 + 2 * g);
      codes.scales[2 * g] = odd_scale(rest >> 12 & 7);
      for (std::size_t i = 0; i < 4; ++i) {
        const std::uint32_t index = load_u8(block + 2 + 4 * g + i) | (rest >> (3 * i) & 7) << 8;
        put_iq1(table.iq1[index], (rest & 0x8000) != 0, codes.q + 32 * g + 8 * i);
      }
    }
  }
};

struct Iq1M {
  static constexpr ElementType kType = ElementType::kIQ1_M;
  static constexpr Form kForm = Form::kScaled16;
  static constexpr std::size_t kBytes = 56;
  static void read(const std::byte* block, GridCodes& codes) {
    const Lookup& table = lookup();
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
      put_iq1(table.iq1[index], (high & 8) != 0, codes.q + 8 * i);
    }
  }
};

struct Iq2Xxs {
  static constexpr ElementType kType = ElementType::kIQ2_XXS;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kBytes = 66;
  static void read(const std::byte* block, GridCodes& codes) {
    const Lookup& table = lookup();
    codes.d = load_f16(block) * 0.125F;
    for (std::size_t g = 0; g < 8; ++g) {
      const std::byte* group = block + 2 + 8 * g;
      const std::uint32_t rest = load_u32(group + 4);
      codes.scales[2 * g] = odd_scale(rest >> 28);
      for (std::size_t i = 0; i < 4; ++i) {
        put_signed(table.iq2_xxs[load_u8(group + i)], table.seven_signs[rest >> (7 * i) & 127],
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
    const Lookup& table = lookup();
    codes.d = load_f16(block) * 0.125F;
    read_nibble_scales(block + 66, codes);
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint32_t code = load_u16(block + 2 + 2 * i);
      put_signed(table.iq2_xs[code & 511], table.seven_signs[code >> 9], codes.q + 8 * i);
    }
  }
};

struct Iq2S {
  static constexpr ElementType kType = ElementType::kIQ2_S;
  static constexpr Form kForm = Form::kScaled16;
  static constexpr std::size_t kBytes = 82;
  static void read(const std::byte* block, GridCodes& codes) {
    const Lookup& table = lookup();
    codes.d = load_f16(block) * 0.125F;
    read_nibble_scales(block + 74, codes);
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint32_t high = load_u8(block + 66 + i / 4) >> (2 * (i % 4)) & 3;
      const std::uint32_t index = load_u8(block + 2 + i) | high << 8;
      put_signed(table.iq2_s[index], table.signs[load_u8(block + 34 + i)], codes.q + 8 * i);
    }
  }
};

struct Iq3Xxs {
  static constexpr ElementType kType = ElementType::kIQ3_XXS;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kBytes = 98;
  static void read(const std::byte* block, GridCodes& codes) {
    const Lookup& table = lookup();
    codes.d = load_f16(block) * 0.25F;
    for (std::size_t g = 0; g < 8; ++g) {
      const std::uint32_t rest = load_u32(block + 66 + 4 * g);
      codes.scales[2 * g] = odd_scale(rest >> 28);
      const std::byte* at = block + 2 + 8 * g;
      for (std::size_t i = 0; i < 4; ++i, at += 2) {
        put_signed(table.iq3_xxs[load_u8(at)] | table.iq3_xxs[load_u8(at + 1)] << 32,
                   table.seven_signs[rest >> (7 * i) & 127], codes.q + 32 * g + 8 * i);
      }
    }
  }
};

struct Iq3S {
  static constexpr ElementType kType = ElementType::kIQ3_S;
  static constexpr Form kForm = Form::kScaled32;
  static constexpr std::size_t kBytes = 110;
  static void read(const std::byte* block, GridCodes& codes) {
    const Lookup& table = lookup();
    codes.d = load_f16(block);
    for (std::size_t g = 0; g < 8; ++g) {
      codes.scales[2 * g] = odd_scale(load_u8(block + 106 + g / 2) >> (4 * (g % 2)) & 15);
    }
    const auto entry = [&](std::size_t i) {
      const std::uint32_t ninth = load_u8(block + 66 + i / 8) >> (i % 8) & 1;
      return table.iq3_s[load_u8(block + 2 + i) | ninth << 8];
    };
    for (std::size_t i = 0; i < 32; ++i) {
      put_signed(entry(2 * i) | entry(2 * i + 1) << 32, table.signs[load_u8(block + 74 + i)],
                 codes.q + 8 * i);
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

struct Reader {
  ElementType type = ElementType::kF32;
  ReadGrid read = nullptr;
};

constexpr Reader kReaders[] = {
    {Iq1S::kType, &Iq1S::read},   {Iq1M::kType, &Iq1M::read}, {Iq2Xxs::kType, &Iq2Xxs::read},
    {Iq2Xs::kType, &Iq2Xs::read}, {Iq2S::kType, &Iq2S::read}, {Iq3Xxs::kType, &Iq3Xxs::read},
    {Iq3S::kType, &Iq3S::read},
};

}  // namespace

ReadGrid grid_reader(ElementType type) {
  for (const Reader& reader : kReaders) {
    if (reader.type == type) return reader.read;
  }
  return nullptr;
}

constinit const PackedFormat kPackedIq1S = row<Iq1S>();
constinit const PackedFormat kPackedIq1M = row<Iq1M>();
constinit const PackedFormat kPackedIq2Xxs = row<Iq2Xxs>();
constinit const PackedFormat kPackedIq2Xs = row<Iq2Xs>();
constinit const PackedFormat kPackedIq2S = row<Iq2S>();
constinit const PackedFormat kPackedIq3Xxs = row<Iq3Xxs>();
constinit const PackedFormat kPackedIq3S = row<Iq3S>();

}  // namespace cairn::kernels
