// vectors: every instruction of this tier by name, so that tests can put a scalar model in its
// place (tests/conformance/avx512_model.h has the same names; CAIRN_AVX512_MODEL names that
// header). The AMX tier uses them too, under its own name.
#pragma once

#if !defined(CAIRN_TIER)
#define CAIRN_TIER avx512vnni
#endif

#if defined(CAIRN_AVX512_MODEL)
#include CAIRN_AVX512_MODEL
#else

// gcc 12 takes the unset operands of its own intrinsics for forgotten ones.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/target.h"

#define CAIRN_TIER_BEGIN CAIRN_TARGET_BEGIN("avx512f,avx512bw,avx512vnni")
#define CAIRN_TIER_END CAIRN_TARGET_END

// Below stand this tier's instructions.
CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// 64 bytes, 32 words or 16 numbers; 16 floats.
using Ints = __m512i;
using Floats = __m512;

/// What stands on signed codes so that dot_bytes takes them, and stored codes made so.
inline constexpr int kByteOffset = 128;
inline CAIRN_INLINE Ints from_stored(Ints codes) { return codes; }

/// Tokens that share a vector of codes in registers.
inline constexpr int kTokens = 8;

/// Loads and stores at any alignment.
inline CAIRN_INLINE Ints load(const void* at) { return _mm512_loadu_si512(at); }
inline CAIRN_INLINE void store(void* at, Ints value) { _mm512_storeu_si512(at, value); }
inline CAIRN_INLINE Floats load_floats(const float* at) { return _mm512_loadu_ps(at); }
inline CAIRN_INLINE void store_floats(float* at, Floats value) { _mm512_storeu_ps(at, value); }

/// One byte, number or float everywhere; four bytes at any alignment everywhere.
inline CAIRN_INLINE Ints every_byte(int value) {
  return _mm512_set1_epi8(static_cast<char>(value));
}
inline CAIRN_INLINE Ints every(int value) { return _mm512_set1_epi32(value); }
inline CAIRN_INLINE Floats every_float(float value) { return _mm512_set1_ps(value); }
inline CAIRN_INLINE Ints broadcast_word(const void* at) {
  int word = 0;
  __builtin_memcpy(&word, at, sizeof word);
  return _mm512_set1_epi32(word);
}

/// Bits.
inline CAIRN_INLINE Ints both(Ints a, Ints b) { return _mm512_and_si512(a, b); }
inline CAIRN_INLINE Ints either(Ints a, Ints b) { return _mm512_or_si512(a, b); }
inline CAIRN_INLINE Ints subtract_bytes(Ints a, Ints b) { return _mm512_sub_epi8(a, b); }
/// Shifts of 16-bit words; what leaves a byte is for the caller to mask.
inline CAIRN_INLINE Ints shift_right(Ints a, unsigned by) { return _mm512_srli_epi16(a, by); }
inline CAIRN_INLINE Ints shift_left(Ints a, unsigned by) { return _mm512_slli_epi16(a, by); }
/// Shifts of 32-bit numbers.
inline CAIRN_INLINE Ints wide_left(Ints a, unsigned by) { return _mm512_slli_epi32(a, by); }
inline CAIRN_INLINE Ints wide_right(Ints a, unsigned by) { return _mm512_srai_epi32(a, by); }

/// table[code] of 16 bytes, for codes 0 to 15.
inline CAIRN_INLINE Ints look_up(const std::byte* table, Ints codes) {
  const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
  return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(values), codes);
}

/// Numbers.
inline CAIRN_INLINE Ints add(Ints a, Ints b) { return _mm512_add_epi32(a, b); }
inline CAIRN_INLINE Ints subtract(Ints a, Ints b) { return _mm512_sub_epi32(a, b); }
inline CAIRN_INLINE Ints multiply(Ints a, Ints b) { return _mm512_mullo_epi32(a, b); }
/// Per number: sum + four products of an unsigned byte of u and a signed one of s.
inline CAIRN_INLINE Ints dot_bytes(Ints sum, Ints u, Ints s) {
  return _mm512_dpbusd_epi32(sum, u, s);
}
/// Per number: sum + two products of signed words.
inline CAIRN_INLINE Ints dot_words(Ints sum, Ints a, Ints b) {
  return _mm512_dpwssd_epi32(sum, a, b);
}
/// 32 bytes as signed words.
inline CAIRN_INLINE Ints signed_words(const std::byte* at) {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
}
inline CAIRN_INLINE Ints unsigned_words(const std::byte* at) {
  return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
}

/// Floats; fused rounds once.
inline CAIRN_INLINE Floats to_floats(Ints a) { return _mm512_cvtepi32_ps(a); }
inline CAIRN_INLINE Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
inline CAIRN_INLINE Floats fused(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
inline CAIRN_INLINE Floats negated(Floats a) {
  return _mm512_castsi512_ps(
      _mm512_xor_si512(_mm512_castps_si512(a), _mm512_set1_epi32(INT32_MIN)));
}
/// 16 f16 numbers.
inline CAIRN_INLINE Floats load_halves(const std::byte* at) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
}

/// Asks for the cache line at `at`; never faults.
inline CAIRN_INLINE void fetch(const char* at) { _mm_prefetch(at, _MM_HINT_T0); }

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
#endif
