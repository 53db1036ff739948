// Super-blocks of 256: Q2_K to Q6_K (pack/k_quants.cpp) and the ternary ones (pack/few_bits.cpp).
#include <utility>

#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/dot_256.h"
#include "kernels/cpu/pack/layouts.h"

CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// Which field of its pairs is sub-block s's.
CAIRN_INLINE inline __m128i shift_of(std::ptrdiff_t s) {
  return _mm_cvtsi32_si128(static_cast<int>(2 * (s % 4)));
}

/// What follows the planes: scale bytes by pairs, then f16 numbers.
template <class Layout>
struct Super : Layout {
  const std::byte* at = nullptr;

  explicit Super(const std::byte* block) : at(block) {}
  CAIRN_INLINE __m128i scale_bytes(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return load_128(at + Layout::kScalesAt + 32 * j + 16 * h);
  }
  CAIRN_INLINE __m256i unsigned_scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return _mm256_cvtepu8_epi16(scale_bytes(j, h));
  }
  CAIRN_INLINE __m256i signed_scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return _mm256_cvtepi8_epi16(scale_bytes(j, h));
  }
  CAIRN_INLINE __m256 d(std::ptrdiff_t h) const {
    return load_halves(at + Layout::kHalvesAt + 16 * h);
  }
  /// The files subtract minimums.
  CAIRN_INLINE __m256 m(std::ptrdiff_t h) const {
    const __m256 sign = _mm256_set1_ps(-0.0F);
    return _mm256_xor_ps(load_halves(at + Layout::kHalvesAt + 32 + 16 * h), sign);
  }
};

struct Q2K : Super<Q2KLayout> {
  using Super::Super;
  CAIRN_INLINE Pairs codes(std::ptrdiff_t s) const { return {pairs_of(at, s), shift_of(s)}; }
  CAIRN_INLINE __m256i scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return _mm256_and_si256(unsigned_scales(j, h), _mm256_set1_epi16(15));
  }
  CAIRN_INLINE __m256i minimums(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return _mm256_srli_epi16(unsigned_scales(j, h), 4);
  }
};

struct Q3K : Super<Q3KLayout> {
  using Super::Super;
  CAIRN_INLINE PairsAndBit codes(std::ptrdiff_t s) const {
    return {pairs_of(at + kSuperBits, s), bits_of(at, s), shift_of(s)};
  }
  CAIRN_INLINE __m256i scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return signed_scales(j, h);
  }
};

struct Q4K : Super<Q4KLayout> {
  using Super::Super;
  CAIRN_INLINE Nibbles codes(std::ptrdiff_t s) const { return {nibbles_of(at, s)}; }
  CAIRN_INLINE __m256i scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return unsigned_scales(j, h);
  }
  CAIRN_INLINE __m256i minimums(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return unsigned_scales(4 + j, h);
  }
};

struct Q5K : Super<Q5KLayout> {
  using Super::Super;
  CAIRN_INLINE NibblesAndBit codes(std::ptrdiff_t s) const {
    return {nibbles_of(at, s), bits_of(at + kSuperNibbles, s)};
  }
  CAIRN_INLINE __m256i scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return unsigned_scales(j, h);
  }
  CAIRN_INLINE __m256i minimums(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return unsigned_scales(4 + j, h);
  }
};

struct Q6K : Super<Q6KLayout> {
  using Super::Super;
  CAIRN_INLINE NibblesAndPairs codes(std::ptrdiff_t s) const {
    return {nibbles_of(at, s), pairs_of(at + kSuperNibbles, s), shift_of(s)};
  }
  CAIRN_INLINE __m256i scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return signed_scales(j, h);
  }
};

/// Both ternary formats are packed alike: one scale for all.
struct Ternary : Super<TernaryLayout> {
  using Super::Super;
  CAIRN_INLINE Pairs codes(std::ptrdiff_t s) const { return {pairs_of(at, s), shift_of(s)}; }
  CAIRN_INLINE __m256i scales(std::ptrdiff_t /*j*/, std::ptrdiff_t /*h*/) const {
    return _mm256_set1_epi16(1);
  }
};

}  // namespace

void dot_q2_k(const DotTask& task) { dot_256<Q2K>(task); }
void dot_q3_k(const DotTask& task) { dot_256<Q3K>(task); }
void dot_q4_k(const DotTask& task) { dot_256<Q4K>(task); }
void dot_q5_k(const DotTask& task) { dot_256<Q5K>(task); }
void dot_q6_k(const DotTask& task) { dot_256<Q6K>(task); }
void dot_ternary(const DotTask& task) { dot_256<Ternary>(task); }

}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
