// vectors: every instruction of this tier by the names that rows16/ uses: a vector is four
// registers.
//
// Source: Arm Architecture Reference Manual for A-profile, C7.2 (SDOT, SMULL, ADDP, FMLA, TBL).
#pragma once

#define CAIRN_TIER neon

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/target.h"

#define CAIRN_TIER_BEGIN CAIRN_TARGET_BEGIN("arch=armv8.2-a+dotprod")
#define CAIRN_TIER_END CAIRN_TARGET_END

// Below stand this tier's instructions.
CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

inline constexpr int kParts = 4;

/// 64 bytes, 32 words or 16 numbers; 16 floats.
struct Ints {
  int32x4_t of[kParts];
};
struct Floats {
  float32x4_t of[kParts];
};

/// One vector from what each(part) gives.
template <class Each>
inline CAIRN_INLINE Ints ints(Each each) {
  return {{each(0), each(1), each(2), each(3)}};
}
template <class Each>
inline CAIRN_INLINE Floats floats(Each each) {
  return {{each(0), each(1), each(2), each(3)}};
}

/// Parts read as bytes and as words, and back.
inline CAIRN_INLINE uint8x16_t bytes_of(int32x4_t part) { return vreinterpretq_u8_s32(part); }
inline CAIRN_INLINE int16x8_t words_of(int32x4_t part) { return vreinterpretq_s16_s32(part); }
inline CAIRN_INLINE int32x4_t part_of(uint8x16_t bytes) { return vreinterpretq_s32_u8(bytes); }
inline CAIRN_INLINE int32x4_t part_of(int16x8_t words) { return vreinterpretq_s32_s16(words); }

/// Dots multiply signed bytes: codes are used as they are.
inline constexpr int kByteOffset = 0;
inline CAIRN_INLINE Ints from_stored(const Ints& codes) {
  return ints([&](int i) CAIRN_INLINE {
    return part_of(veorq_u8(bytes_of(codes.of[i]), vdupq_n_u8(128)));
  });
}

/// Tokens that share a vector of codes in registers.
inline constexpr int kTokens = 4;

/// Loads and stores at any alignment.
inline CAIRN_INLINE Ints load(const void* at) {
  const auto* from = static_cast<const std::uint8_t*>(at);
  return ints([from](int i) CAIRN_INLINE { return part_of(vld1q_u8(from + 16 * i)); });
}
inline CAIRN_INLINE void store(void* at, const Ints& value) {
  auto* to = static_cast<std::uint8_t*>(at);
  for (int i = 0; i < kParts; ++i) vst1q_u8(to + 16 * i, bytes_of(value.of[i]));
}
inline CAIRN_INLINE Floats load_floats(const float* at) {
  return floats([at](int i) CAIRN_INLINE { return vld1q_f32(at + 4 * i); });
}
inline CAIRN_INLINE void store_floats(float* at, const Floats& value) {
  for (int i = 0; i < kParts; ++i) vst1q_f32(at + 4 * i, value.of[i]);
}

/// One byte, number or float everywhere; four bytes at any alignment everywhere.
inline CAIRN_INLINE Ints every(int value) {
  return ints([value](int /*i*/) CAIRN_INLINE { return vdupq_n_s32(value); });
}
inline CAIRN_INLINE Ints every_byte(int value) { return every((value & 0xFF) * 0x01010101); }
inline CAIRN_INLINE Floats every_float(float value) {
  return floats([value](int /*i*/) CAIRN_INLINE { return vdupq_n_f32(value); });
}
inline CAIRN_INLINE Ints broadcast_word(const void* at) {
  int word = 0;
  __builtin_memcpy(&word, at, sizeof word);
  return every(word);
}

/// Bits.
inline CAIRN_INLINE Ints both(const Ints& a, const Ints& b) {
  return ints([&](int i) CAIRN_INLINE { return vandq_s32(a.of[i], b.of[i]); });
}
inline CAIRN_INLINE Ints either(const Ints& a, const Ints& b) {
  return ints([&](int i) CAIRN_INLINE { return vorrq_s32(a.of[i], b.of[i]); });
}
/// Shifts of 16-bit words, to the right with zeros; what leaves a byte is for the caller to mask.
inline CAIRN_INLINE Ints shift_words(const Ints& a, int left) {
  const int16x8_t by = vdupq_n_s16(static_cast<std::int16_t>(left));
  return ints([&](int i) CAIRN_INLINE {
    const uint16x8_t words = vreinterpretq_u16_s32(a.of[i]);
    return vreinterpretq_s32_u16(vshlq_u16(words, by));
  });
}
inline CAIRN_INLINE Ints shift_right(const Ints& a, unsigned by) {
  return shift_words(a, -static_cast<int>(by));
}
inline CAIRN_INLINE Ints shift_left(const Ints& a, unsigned by) {
  return shift_words(a, static_cast<int>(by));
}
/// Shifts of 32-bit numbers.
inline CAIRN_INLINE Ints shift_numbers(const Ints& a, int left) {
  const int32x4_t by = vdupq_n_s32(left);
  return ints([&](int i) CAIRN_INLINE { return vshlq_s32(a.of[i], by); });
}
inline CAIRN_INLINE Ints wide_left(const Ints& a, unsigned by) {
  return shift_numbers(a, static_cast<int>(by));
}
inline CAIRN_INLINE Ints wide_right(const Ints& a, unsigned by) {
  return shift_numbers(a, -static_cast<int>(by));
}

/// table[code] of 16 bytes, for codes 0 to 15.
inline CAIRN_INLINE Ints look_up(const std::byte* table, const Ints& codes) {
  const uint8x16_t values = vld1q_u8(reinterpret_cast<const std::uint8_t*>(table));
  return ints([&](int i)
                  CAIRN_INLINE { return part_of(vqtbl1q_u8(values, bytes_of(codes.of[i]))); });
}

/// Numbers.
inline CAIRN_INLINE Ints add(const Ints& a, const Ints& b) {
  return ints([&](int i) CAIRN_INLINE { return vaddq_s32(a.of[i], b.of[i]); });
}
inline CAIRN_INLINE Ints subtract(const Ints& a, const Ints& b) {
  return ints([&](int i) CAIRN_INLINE { return vsubq_s32(a.of[i], b.of[i]); });
}
inline CAIRN_INLINE Ints multiply(const Ints& a, const Ints& b) {
  return ints([&](int i) CAIRN_INLINE { return vmulq_s32(a.of[i], b.of[i]); });
}
/// Per number: sum + four products of signed bytes.
inline CAIRN_INLINE Ints dot_bytes(const Ints& sum, const Ints& a, const Ints& b) {
  return ints([&](int i) CAIRN_INLINE {
    return vdotq_s32(sum.of[i], vreinterpretq_s8_s32(a.of[i]), vreinterpretq_s8_s32(b.of[i]));
  });
}
/// Per number: sum + two products of signed words.
inline CAIRN_INLINE Ints dot_words(const Ints& sum, const Ints& a, const Ints& b) {
  return ints([&](int i) CAIRN_INLINE {
    const int16x8_t x = words_of(a.of[i]);
    const int16x8_t y = words_of(b.of[i]);
    const int32x4_t low = vmull_s16(vget_low_s16(x), vget_low_s16(y));
    return vaddq_s32(sum.of[i], vpaddq_s32(low, vmull_high_s16(x, y)));
  });
}
/// 32 bytes as signed words.
inline CAIRN_INLINE Ints signed_words(const std::byte* at) {
  const auto* from = reinterpret_cast<const std::int8_t*>(at);
  return ints([from](int i) CAIRN_INLINE { return part_of(vmovl_s8(vld1_s8(from + 8 * i))); });
}
inline CAIRN_INLINE Ints unsigned_words(const std::byte* at) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(at);
  return ints([from](int i) CAIRN_INLINE {
    return part_of(vreinterpretq_s16_u16(vmovl_u8(vld1_u8(from + 8 * i))));
  });
}

/// Floats; fused rounds once.
inline CAIRN_INLINE Floats to_floats(const Ints& a) {
  return floats([&](int i) CAIRN_INLINE { return vcvtq_f32_s32(a.of[i]); });
}
inline CAIRN_INLINE Floats multiply(const Floats& a, const Floats& b) {
  return floats([&](int i) CAIRN_INLINE { return vmulq_f32(a.of[i], b.of[i]); });
}
inline CAIRN_INLINE Floats fused(const Floats& a, const Floats& b, const Floats& c) {
  return floats([&](int i) CAIRN_INLINE { return vfmaq_f32(c.of[i], a.of[i], b.of[i]); });
}
inline CAIRN_INLINE Floats negated(const Floats& a) {
  return floats([&](int i) CAIRN_INLINE { return vnegq_f32(a.of[i]); });
}
/// 16 f16 numbers.
inline CAIRN_INLINE Floats load_halves(const std::byte* at) {
  const auto* from = reinterpret_cast<const std::uint16_t*>(at);
  return floats([from](int i) CAIRN_INLINE {
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from + 4 * i)));
  });
}

/// Asks for the cache line at `at`; never faults.
inline CAIRN_INLINE void fetch(const char* at) { __builtin_prefetch(at); }

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
