// codes: packed planes (pack/planes.h) as vectors of bytes that maddubs multiplies.
//
// Purpose     at<v>(h) is the codes of k = 4 v to 4 v + 3 of rows 8 h to 8 h + 7 of one sub-block.
// Invariants  maddubs adds two products of an unsigned and a signed byte in 16 bits and saturates.
//             kChain says how many of its results may be added there without passing 32767, the
//             activations being within +-127: kChain * 2 * 127 * largest code. Signed codes go
//             through abs and sign, one at a time.
// Adding      a plane: a struct with kChain, kSigned and at.
#pragma once

#include "kernels/cpu/avx2/vectors.h"

// Below stand this tier's instructions.
CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// Codes 0 to 15.
struct Nibbles {
  static constexpr int kChain = 8;
  static constexpr bool kSigned = false;
  const std::byte* nibbles = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    const __m256i both = load_256(nibbles + 64 * (kV % 4) + 32 * h);
    const __m256i one = kV < 4 ? both : _mm256_srli_epi16(both, 4);
    return _mm256_and_si256(one, _mm256_set1_epi8(15));
  }
};

/// Bit `kBit` of codes from a bit plane.
template <std::ptrdiff_t kV, std::ptrdiff_t kBit>
inline CAIRN_INLINE __m256i plane_bit(const std::byte* bits, std::ptrdiff_t h) {
  const __m256i all = load_256(bits + 32 * h);
  const __m256i shifted =
      kV < kBit ? _mm256_slli_epi16(all, int{kBit - kV}) : _mm256_srli_epi16(all, int{kV - kBit});
  return _mm256_and_si256(shifted, _mm256_set1_epi8(1 << kBit));
}

/// Codes 0 to 31.
struct NibblesAndBit {
  static constexpr int kChain = 4;
  static constexpr bool kSigned = false;
  const std::byte* nibbles = nullptr;
  const std::byte* bits = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    return _mm256_or_si256(Nibbles{nibbles}.at<kV>(h), plane_bit<kV, 4>(bits, h));
  }
};

/// Two bits of codes from a pair plane; `shift` is that of the sub-block's field.
inline CAIRN_INLINE __m256i plane_pair(const std::byte* pairs, std::ptrdiff_t v, __m128i shift,
                                       std::ptrdiff_t h) {
  const __m256i all = load_256(pairs + 64 * v + 32 * h);
  return _mm256_and_si256(_mm256_srl_epi16(all, shift), _mm256_set1_epi8(3));
}

/// Codes 0 to 3: sub-block s of 128 values is field s of the plane.
struct Pairs {
  static constexpr int kChain = 8;
  static constexpr bool kSigned = false;
  const std::byte* pairs = nullptr;
  __m128i shift = {};

  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    return plane_pair(pairs, kV, shift, h);
  }
};

/// Codes 0 to 7: two bits and a third.
struct PairsAndBit {
  static constexpr int kChain = 8;
  static constexpr bool kSigned = false;
  const std::byte* pairs = nullptr;
  const std::byte* bits = nullptr;
  __m128i shift = {};

  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    return _mm256_or_si256(plane_pair(pairs, kV, shift, h), plane_bit<kV, 2>(bits, h));
  }
};

/// Codes 0 to 63: a nibble and two bits above it.
struct NibblesAndPairs {
  static constexpr int kChain = 2;
  static constexpr bool kSigned = false;
  const std::byte* nibbles = nullptr;
  const std::byte* pairs = nullptr;
  __m128i shift = {};

  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    const __m256i high = _mm256_slli_epi16(plane_pair(pairs, kV, shift, h), 4);
    return _mm256_or_si256(Nibbles{nibbles}.at<kV>(h), high);
  }
};

/// Signed bytes -128 to 127, stored with the sign bit turned over.
struct Bytes {
  static constexpr int kChain = 1;
  static constexpr bool kSigned = true;
  const std::byte* bytes = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    return _mm256_xor_si256(load_256(bytes + 64 * kV + 32 * h), _mm256_set1_epi8(-128));
  }
};

/// What a table gives for nibbles.
template <int kLargestChain, bool kSignedValues>
struct LookedUp {
  static constexpr int kChain = kLargestChain;
  static constexpr bool kSigned = kSignedValues;
  const std::byte* nibbles = nullptr;
  __m256i table = {};

  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    return _mm256_shuffle_epi8(table, Nibbles{nibbles}.at<kV>(h));
  }
};

/// Codes unpacked before, as vectors in order.
template <int kLargestChain, bool kSignedValues>
struct Unpacked {
  static constexpr int kChain = kLargestChain;
  static constexpr bool kSigned = kSignedValues;
  const std::int8_t* codes = nullptr;

  template <std::ptrdiff_t kV>
  CAIRN_INLINE __m256i at(std::ptrdiff_t h) const {
    return load_256(codes + 64 * kV + 32 * h);
  }
};

/// What a sub-block of 32 values and 16 rows takes when unpacked.
inline constexpr std::size_t kUnpackedBytes = 512;

/// Writes all codes of a sub-block, as Unpacked reads them.
template <class Codes>
inline CAIRN_INLINE void unpack_codes(const Codes& codes, std::int8_t* out) {
  unrolled<0, 8>([&](auto v) CAIRN_INLINE {
    store_256(out + 64 * v, codes.template at<v>(0));
    store_256(out + 64 * v + 32, codes.template at<v>(1));
  });
}

/// The two halves' accumulators of kT tokens.
template <int kT>
struct Sums {
  __m256i of[kT][2];
};

/// Products of one vector of codes with each token's four activations.
template <bool kSigned>
inline CAIRN_INLINE __m256i products(__m256i codes, __m256i x) {
  if constexpr (kSigned) {
    return _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(x, codes));
  }
  return _mm256_maddubs_epi16(codes, x);
}

/// total += factor * (sum of products of k = 4 kBegin to 4 kEnd - 1); `factors` are pairs of 16
/// bits, one vector per half.
template <std::ptrdiff_t kBegin, std::ptrdiff_t kEnd, int kT, class Codes>
inline CAIRN_INLINE void add_products(const Codes& codes, const std::int8_t* const (&x)[kT],
                                      const __m256i (&factors)[2], Sums<kT>& total) {
  unrolled<kBegin, kEnd, Codes::kChain>([&](auto first) CAIRN_INLINE {
    constexpr std::ptrdiff_t kStart = decltype(first)::value;
    constexpr std::ptrdiff_t kStop = kStart + Codes::kChain < kEnd ? kStart + Codes::kChain : kEnd;
    __m256i chain[kT][2];
    unrolled<kStart, kStop>([&](auto v) CAIRN_INLINE {
      constexpr std::ptrdiff_t kV = decltype(v)::value;
      const __m256i low = codes.template at<kV>(0);
      const __m256i high = codes.template at<kV>(1);
      unrolled<0, kT>([&](auto t) CAIRN_INLINE {
        const __m256i four = broadcast_word(x[t] + 4 * kV);
        const __m256i p0 = products<Codes::kSigned>(low, four);
        const __m256i p1 = products<Codes::kSigned>(high, four);
        chain[t][0] = kV == kStart ? p0 : _mm256_add_epi16(chain[t][0], p0);
        chain[t][1] = kV == kStart ? p1 : _mm256_add_epi16(chain[t][1], p1);
        keep(chain[t][0]);
        keep(chain[t][1]);
      });
    });
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      total.of[t][0] = _mm256_add_epi32(total.of[t][0], _mm256_madd_epi16(chain[t][0], factors[0]));
      total.of[t][1] = _mm256_add_epi32(total.of[t][1], _mm256_madd_epi16(chain[t][1], factors[1]));
      if constexpr (kStart != kBegin) {
        keep(total.of[t][0]);
        keep(total.of[t][1]);
      }
    });
  });
}

}  // namespace
}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
