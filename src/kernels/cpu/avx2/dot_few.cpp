// Formats that look nibbles up in a table (pack/tables.cpp) and those of one or two bits with one
// scale (pack/few_bits.cpp).
#include <utility>

#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/dot_256.h"
#include "kernels/cpu/avx2/dot_32.h"
#include "kernels/cpu/pack/layouts.h"
#include "tensor/quant/fp4_values.h"
#include "tensor/quant/iq4_values.h"

CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// FP4 values reach from -12 to 12: with 12 added they are unsigned and four products fit.
constexpr int kFp4Offset = 12;
using Fp4Codes = LookedUp<4, false>;
using Iq4Codes = LookedUp<1, true>;

inline CAIRN_INLINE __m256i fp4_table() {
  const __m128i values = load_128(tensor::kFp4DoubledValues.data());
  return _mm256_broadcastsi128_si256(_mm_add_epi8(values, _mm_set1_epi8(kFp4Offset)));
}

inline CAIRN_INLINE __m256i iq4_table() {
  return _mm256_broadcastsi128_si256(load_128(tensor::kIq4Values.data()));
}

struct Plain {
  static constexpr bool kHalved = false;
  static constexpr bool kMinimum = false;
};

struct Iq4Nl : Plain {
  static constexpr std::size_t kSubs = 1;
  static constexpr std::size_t kBytes = 288;
  static constexpr int kOffset = 0;
  Iq4Codes codes;
  const std::byte* halves = nullptr;
  CAIRN_INLINE Iq4Nl(const std::byte* at, std::size_t /*sub*/)
      : codes{at, iq4_table()}, halves(at + 256) {}
  CAIRN_INLINE __m256 scale(std::ptrdiff_t /*half*/, std::ptrdiff_t h) const {
    return load_halves(halves + 16 * h);
  }
};

struct Mxfp4 : Plain {
  static constexpr std::size_t kSubs = 1;
  static constexpr std::size_t kBytes = 272;
  static constexpr int kOffset = kFp4Offset;
  Fp4Codes codes;
  const std::byte* scales = nullptr;
  CAIRN_INLINE Mxfp4(const std::byte* at, std::size_t /*sub*/)
      : codes{at, fp4_table()}, scales(at + 256) {}
  /// 2^(e - 128); below e = 2 that is subnormal.
  CAIRN_INLINE __m256 scale(std::ptrdiff_t /*half*/, std::ptrdiff_t h) const {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(scales + 8 * h));
    const __m256i e = _mm256_cvtepu8_epi32(bytes);
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i normal = _mm256_slli_epi32(_mm256_sub_epi32(e, one), 23);
    const __m256i tiny = _mm256_sllv_epi32(_mm256_set1_epi32(1 << 21), e);
    return _mm256_castsi256_ps(_mm256_blendv_epi8(tiny, normal, _mm256_cmpgt_epi32(e, one)));
  }
};

struct Nvfp4 {
  static constexpr bool kHalved = true;
  static constexpr bool kMinimum = false;
  static constexpr std::size_t kSubs = 2;
  static constexpr std::size_t kBytes = 576;
  static constexpr int kOffset = kFp4Offset;
  Fp4Codes codes;
  const std::byte* scales = nullptr;
  CAIRN_INLINE Nvfp4(const std::byte* at, std::size_t sub)
      : codes{at + 256 * sub, fp4_table()}, scales(at + 512 + 32 * sub) {}
  /// E4M3 without its sign, halved: as the high bits of an f16 it is too small by 2^8.
  CAIRN_INLINE __m256 scale(std::ptrdiff_t half, std::ptrdiff_t h) const {
    const __m128i pairs = load_128(scales + 16 * h);
    const __m128i one = half == 0 ? pairs : _mm_srli_epi16(pairs, 8);
    const __m128i code = _mm_and_si128(one, _mm_set1_epi16(0x7F));
    const __m128i none = _mm_cmpeq_epi16(code, _mm_set1_epi16(0x7F));
    const __m128i halves = _mm_slli_epi16(_mm_andnot_si128(none, code), 7);
    return _mm256_mul_ps(_mm256_cvtph_ps(halves), _mm256_set1_ps(128.0F));
  }
};

struct Iq4Xs : Iq4XsLayout<0> {
  const std::byte* at = nullptr;
  explicit CAIRN_INLINE Iq4Xs(const std::byte* block) : at(block) {}
  CAIRN_INLINE Iq4Codes codes(std::ptrdiff_t s) const { return {nibbles_of(at, s), iq4_table()}; }
  CAIRN_INLINE __m256i scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return _mm256_cvtepi8_epi16(load_128(at + kScalesAt + 32 * j + 16 * h));
  }
  CAIRN_INLINE __m256 d(std::ptrdiff_t h) const { return load_halves(at + kHalvesAt + 16 * h); }
};

/// Signs: the bit at place 1 is 0 or 2, less 1.
struct SignCodes {
  static constexpr int kChain = 8;
  static constexpr bool kSigned = false;
  const std::byte* bits = nullptr;
  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    return plane_bit<kV, 1>(bits, h);
  }
};

struct Q10 : Plain {
  static constexpr std::size_t kSubs = 4;
  static constexpr std::size_t kBytes = 288;
  static constexpr int kOffset = 1;
  SignCodes codes;
  const std::byte* halves = nullptr;
  CAIRN_INLINE Q10(const std::byte* at, std::size_t sub) : codes{at + 64 * sub}, halves(at + 256) {}
  CAIRN_INLINE __m256 scale(std::ptrdiff_t /*half*/, std::ptrdiff_t h) const {
    return load_halves(halves + 16 * h);
  }
};

/// A pair plane of 64 values: sub-block s is fields 2 s and 2 s + 1.
struct ShortPairs {
  static constexpr int kChain = 8;
  static constexpr bool kSigned = false;
  const std::byte* pairs = nullptr;
  std::ptrdiff_t field = 0;
  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    return plane_pair(pairs, kV % 4, _mm_cvtsi32_si128(static_cast<int>(2 * (field + kV / 4))), h);
  }
};

struct Q20 : Plain {
  static constexpr std::size_t kSubs = 2;
  static constexpr std::size_t kBytes = 288;
  static constexpr int kOffset = 1;
  ShortPairs codes;
  const std::byte* halves = nullptr;
  CAIRN_INLINE Q20(const std::byte* at, std::size_t sub)
      : codes{at, 2 * static_cast<std::ptrdiff_t>(sub)}, halves(at + 256) {}
  CAIRN_INLINE __m256 scale(std::ptrdiff_t /*half*/, std::ptrdiff_t h) const {
    return load_halves(halves + 16 * h);
  }
};

}  // namespace

void dot_iq4_nl(const DotTask& task) { dot_32<Iq4Nl>(task); }
void dot_iq4_xs(const DotTask& task) { dot_256<Iq4Xs>(task); }
void dot_mxfp4(const DotTask& task) { dot_32<Mxfp4>(task); }
void dot_nvfp4(const DotTask& task) { dot_32<Nvfp4>(task); }
void dot_q1_0(const DotTask& task) { dot_32<Q10>(task); }
void dot_q2_0(const DotTask& task) { dot_32<Q20>(task); }

}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
