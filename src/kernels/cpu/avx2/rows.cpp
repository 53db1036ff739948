// Norms, and the encoding of rows.
#include <array>
#include <cmath>
#include <limits>

#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/lanes.h"

CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// Ones in the first `count` of eight lanes.
inline __m256i first_lanes(std::size_t count) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lane);
}

/// Squares of a row's last values, each to the lane of its index: the others stay as they are.
inline __m256 add_squares(const float* x, std::size_t count, __m256 lanes) {
  const __m256i mask = first_lanes(count);
  const __m256 value = _mm256_maskload_ps(x, mask);
  const __m256 sum = _mm256_fmadd_ps(value, value, lanes);
  return _mm256_blendv_ps(lanes, sum, _mm256_castsi256_ps(mask));
}

float sum_of_squares(std::span<const float> x) {
  __m256 low = _mm256_setzero_ps();
  __m256 high = _mm256_setzero_ps();
  std::size_t i = 0;
  for (; i + 16 <= x.size(); i += 16) {
    const __m256 a = _mm256_loadu_ps(x.data() + i);
    const __m256 b = _mm256_loadu_ps(x.data() + i + 8);
    low = _mm256_fmadd_ps(a, a, low);
    high = _mm256_fmadd_ps(b, b, high);
  }
  const std::size_t left = x.size() - i;
  low = add_squares(x.data() + i, left < 8 ? left : 8, low);
  if (left > 8) high = add_squares(x.data() + i + 8, left - 8, high);
  return merged(low, high);
}

/// Below it 127 / amax is not finite.
constexpr float kSmallestAmax = 0x1p-121F;

/// The largest magnitude's bits: magnitudes of f32 are ordered as their bits are.
std::uint32_t largest_bits(const float* x, std::size_t count) {
  const __m256i magnitude = _mm256_set1_epi32(0x7FFFFFFF);
  __m256i largest = _mm256_setzero_si256();
  for (std::size_t i = 0; i < count; i += 8) {
    largest = _mm256_max_epu32(largest, _mm256_and_si256(load_256(x + i), magnitude));
  }
  __m128i four =
      _mm_max_epu32(_mm256_castsi256_si128(largest), _mm256_extracti128_si256(largest, 1));
  four = _mm_max_epu32(four, _mm_shuffle_epi32(four, 0x4E));
  four = _mm_max_epu32(four, _mm_shuffle_epi32(four, 0xB1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(four));
}

/// Eight values as integers.
inline CAIRN_INLINE __m256i rounded(const float* x, __m256 inverse) {
  const __m256 magic = _mm256_set1_ps(0x1.8p23F);
  const __m256 product = _mm256_mul_ps(_mm256_loadu_ps(x), inverse);
  const __m256 whole = _mm256_sub_ps(_mm256_add_ps(product, magic), magic);
  const __m256 low = _mm256_max_ps(_mm256_set1_ps(-127.0F), whole);
  return _mm256_cvtps_epi32(_mm256_min_ps(_mm256_set1_ps(127.0F), low));
}

inline CAIRN_INLINE __m256i codes_of_32(const float* x, __m256 inverse) {
  const __m256i first = _mm256_packs_epi32(rounded(x, inverse), rounded(x + 8, inverse));
  const __m256i second = _mm256_packs_epi32(rounded(x + 16, inverse), rounded(x + 24, inverse));
  // Packing goes by halves of vectors: the order of fours is put right afterwards.
  const __m256i mixed = _mm256_packs_epi16(first, second);
  return _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/// The sums of the first and the last 16 of 32 codes.
struct HalfSums {
  std::int32_t first = 0;
  std::int32_t second = 0;
};

inline HalfSums half_sums(__m256i codes) {
  const __m256i twos = _mm256_maddubs_epi16(_mm256_set1_epi8(1), codes);
  const __m256i fours = _mm256_madd_epi16(twos, _mm256_set1_epi16(1));
  const __m256i eights = _mm256_hadd_epi32(fours, fours);
  const __m256i sums = _mm256_hadd_epi32(eights, eights);
  return {_mm256_extract_epi32(sums, 0), _mm256_extract_epi32(sums, 4)};
}

/// d and 127 / amax of a block; q is 0 where the inverse is.
struct BlockScale {
  float d = 0;
  float inverse = 0;
};

BlockScale scale_of(const float* x, std::size_t count) {
  const std::uint32_t bits = largest_bits(x, count);
  if (bits >= 0x7F800000U) return {std::numeric_limits<float>::quiet_NaN(), 0};
  const float amax = std::bit_cast<float>(bits);
  if (amax < kSmallestAmax) return {};
  return {amax / 127.0F, 127.0F / amax};
}

}  // namespace

void norm(std::span<const float> x, const Norm& norm, float* out) {
  const float mean = sum_of_squares(x) / static_cast<float>(x.size());
  const float scale = 1.0F / std::sqrt(mean + norm.eps);
  const __m256 scales = _mm256_set1_ps(scale);
  std::size_t c = 0;
  for (; c + 8 <= x.size(); c += 8) {
    const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(x.data() + c), scales);
    _mm256_storeu_ps(out + c, _mm256_mul_ps(scaled, _mm256_loadu_ps(norm.weight + c)));
  }
  for (; c < x.size(); ++c) out[c] = x[c] * scale * norm.weight[c];
}

void quantise(std::span<const float> x, const Quantised& out, std::size_t t) {
  std::int8_t* q = out.q_row(t);
  std::int16_t* sums = out.sums_row(t);
  for (std::size_t b = 0; b < x.size() / out.block; ++b) {
    const float* from = x.data() + b * out.block;
    const BlockScale scale = scale_of(from, out.block);
    out.d_row(t)[b] = scale.d;
    const bool none = !(scale.inverse > 0);
    for (std::size_t i = 0; i < out.block; i += kSubValues) {
      const __m256i codes =
          none ? _mm256_setzero_si256() : codes_of_32(from + i, _mm256_set1_ps(scale.inverse));
      const std::size_t at = b * out.block + i;
      store_256(q + at, codes);
      const HalfSums halves = half_sums(codes);
      sums[at / 16] = static_cast<std::int16_t>(halves.first);
      sums[at / 16 + 1] = static_cast<std::int16_t>(halves.second);
      out.put_sum32(t, at / 32, halves.first + halves.second);
    }
  }
}

}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
