// vectors: loads, broadcasts and loops that the AVX2 files share.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/avx2/tier.h"
#include "kernels/cpu/lanes/unrolled.h"

// Below stand this tier's instructions.
CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// Loads and stores at any alignment.
inline CAIRN_INLINE __m256i load_256(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}
inline CAIRN_INLINE __m128i load_128(const void* at) {
  return _mm_loadu_si128(static_cast<const __m128i*>(at));
}
inline CAIRN_INLINE void store_256(void* at, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(at), value);
}

/// Four bytes at any alignment in every lane.
inline CAIRN_INLINE __m256i broadcast_word(const void* at) {
  return _mm256_castps_si256(_mm256_broadcast_ss(static_cast<const float*>(at)));
}

/// Eight f16 numbers.
inline CAIRN_INLINE __m256 load_halves(const std::byte* at) {
  return _mm256_cvtph_ps(load_128(at));
}

/// Ends what the compiler may reorder: gcc 12 turns chains of integer additions into trees whose
/// leaves do not fit in sixteen registers.
inline CAIRN_INLINE void keep(__m256i& value) { asm("" : "+x"(value)); }

/// Asks for the cache line at `at`; never faults.
inline CAIRN_INLINE void fetch(const char* at) { _mm_prefetch(at, _MM_HINT_T0); }

}  // namespace
}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
