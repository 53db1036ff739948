// Formats of one scale (or two) per 32 values: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 (pack/nibbles.cpp),
// IQ4_NL, MXFP4, NVFP4 (pack/tables.cpp), Q1_0, Q2_0 (pack/few_bits.cpp).
#pragma once

#include <array>

#include "kernels/cpu/pack/layouts.h"
#include "kernels/cpu/rows16/dot_32.h"
#include "kernels/cpu/rows16/tables.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// kSubBlocks sub-blocks' planes, then 16 f16 scales, then for some 16 f16 minimums.
template <std::size_t kPlanes, bool kWithMinimum, int kTaken, std::size_t kSubBlocks = 1>
struct Block32 : BlockLayout<kPlanes, kWithMinimum, kTaken, kSubBlocks> {
  const std::byte* halves = nullptr;

  explicit CAIRN_INLINE Block32(const std::byte* at) : halves(at + kPlanes) {}
  CAIRN_INLINE Floats scale(std::size_t /*half*/) const { return load_halves(halves); }
  CAIRN_INLINE Floats minimum() const { return load_halves(halves + 32); }
};

template <bool kWithMinimum, int kTaken>
struct FourBits : Block32<256, kWithMinimum, kTaken> {
  Nibbles codes;
  CAIRN_INLINE FourBits(const std::byte* at, std::size_t /*sub*/)
      : Block32<256, kWithMinimum, kTaken>(at), codes{at} {}
};

template <bool kWithMinimum, int kTaken>
struct FiveBits : Block32<320, kWithMinimum, kTaken> {
  NibblesAndBit codes;
  CAIRN_INLINE FiveBits(const std::byte* at, std::size_t /*sub*/)
      : Block32<320, kWithMinimum, kTaken>(at), codes{at, at + 256} {}
};

struct EightBits : Block32<512, false, kByteOffset> {
  StoredBytes codes;
  CAIRN_INLINE EightBits(const std::byte* at, std::size_t /*sub*/) : Block32(at), codes{at} {}
};

struct Iq4Nl : Block32<256, false, kIq4Offset> {
  LookedUp codes;
  CAIRN_INLINE Iq4Nl(const std::byte* at, std::size_t /*sub*/)
      : Block32(at), codes{at, kIq4Table.data()} {}
};

struct OneBit : Block32<256, false, 1, 4> {
  SignBits codes;
  CAIRN_INLINE OneBit(const std::byte* at, std::size_t sub) : Block32(at), codes{at + 64 * sub} {}
};

struct TwoBits : Block32<256, false, 1, 2> {
  ShortPairs codes;
  CAIRN_INLINE TwoBits(const std::byte* at, std::size_t sub)
      : Block32(at), codes{at, static_cast<unsigned>(2 * sub)} {}
};

struct Mxfp4 {
  static constexpr std::size_t kSubs = 1;
  static constexpr std::size_t kBytes = 272;
  static constexpr bool kHalved = false;
  static constexpr bool kMinimum = false;
  static constexpr int kOffset = kFp4Offset;
  LookedUp codes;
  const std::byte* scales = nullptr;
  CAIRN_INLINE Mxfp4(const std::byte* at, std::size_t /*sub*/)
      : codes{at, kFp4Table.data()}, scales(at + 256) {}
  /// 2^(e - 128); below e = 2 that is subnormal.
  CAIRN_INLINE Floats scale(std::size_t /*half*/) const {
    alignas(64) float numbers[kGroupRows];
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      const auto e = std::to_integer<std::uint32_t>(scales[r]);
      const std::uint32_t bits = e >= 2 ? (e - 1) << 23 : std::uint32_t{1} << (21 + e);
      __builtin_memcpy(&numbers[r], &bits, sizeof bits);
    }
    return load_floats(numbers);
  }
};

struct Nvfp4 {
  static constexpr std::size_t kSubs = 2;
  static constexpr std::size_t kBytes = 576;
  static constexpr bool kHalved = true;
  static constexpr bool kMinimum = false;
  static constexpr int kOffset = kFp4Offset;
  LookedUp codes;
  const std::byte* scales = nullptr;
  CAIRN_INLINE Nvfp4(const std::byte* at, std::size_t sub)
      : codes{at + 256 * sub, kFp4Table.data()}, scales(at + 512 + 32 * sub) {}
  /// E4M3 without its sign, halved: as the high bits of an f16 it is too small by 2^8.
  CAIRN_INLINE Floats scale(std::size_t half) const {
    alignas(32) std::uint16_t halves[kGroupRows];
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      const unsigned code = std::to_integer<unsigned>(scales[2 * r + half]) & 0x7FU;
      halves[r] = static_cast<std::uint16_t>(code == 0x7FU ? 0U : code << 7);
    }
    const Floats small = load_halves(reinterpret_cast<const std::byte*>(halves));
    return multiply(small, every_float(128.0F));
  }
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
