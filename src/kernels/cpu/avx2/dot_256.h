// dot_256: the forms of 256 values under one scale, with integer scales below it (kScaled32,
// kScaledMin32, kScaled16, kScaledMin16).
//
// A format F states kBytes (of a packed block), kHalved (an integer scale per 16 values instead of
// 32), kMinimum, kOffset (taken from every code), and for a block: codes(s) of sub-block s,
// scales(j, h): pairs of 16-bit scales 2 j and 2 j + 1 of each row, minimums(j, h) likewise,
// d(h), m(h).
#pragma once

#include "kernels/cpu/avx2/tokens.h"

// Below stand this tier's instructions.
CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

inline constexpr std::size_t kSuper = 256;

/// One of two 16-bit numbers of each row, twice.
template <int kWhich>
inline CAIRN_INLINE __m256i twice(__m256i pairs) {
  constexpr char kAt = kWhich == 0 ? 0 : 2;
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(kAt, kAt + 1, kAt, kAt + 1, kAt + 4, kAt + 5, kAt + 4, kAt + 5, kAt + 8,
                    kAt + 9, kAt + 8, kAt + 9, kAt + 12, kAt + 13, kAt + 12, kAt + 13));
  return _mm256_shuffle_epi8(pairs, order);
}

/// Sums of a token's activations as 16-bit pairs (2 j, 2 j + 1): by 16 values, or by 32.
template <bool kHalved>
struct PairSums {
  alignas(32) std::int16_t of[16];

  CAIRN_INLINE void load(const std::int16_t* sums, const std::int32_t* sums32) {
    if constexpr (kHalved) {
      store_256(of, load_256(sums));
    } else {
      const __m256i wide = load_256(sums32);
      const __m256i narrow = _mm256_packs_epi32(wide, wide);
      store_256(of, _mm256_permute4x64_epi64(narrow, 0x88));
    }
  }
  CAIRN_INLINE __m256i pair(std::ptrdiff_t j) const { return broadcast_word(of + 2 * j); }
};

template <class F>
struct Dot256 {
  static constexpr int kPairs = F::kHalved ? 8 : 4;

  /// Sub-blocks 2 j and 2 j + 1, or with halves sub-block j.
  template <int kT>
  static CAIRN_INLINE void add_pair(const F& f, const std::int8_t* q, std::size_t cols,
                                    std::ptrdiff_t j, Sums<kT>& total) {
    const __m256i pairs[2] = {f.scales(j, 0), f.scales(j, 1)};
    const __m256i first[2] = {twice<0>(pairs[0]), twice<0>(pairs[1])};
    const __m256i second[2] = {twice<1>(pairs[0]), twice<1>(pairs[1])};
    const std::int8_t* x[kT];
    if constexpr (F::kHalved) {
      unrolled<0, kT>([&](auto t) CAIRN_INLINE { x[t] = q + t * cols + 32 * j; });
      const auto codes = f.codes(j);
      add_products<0, 4>(codes, x, first, total);
      add_products<4, 8>(codes, x, second, total);
    } else {
      unrolled<0, kT>([&](auto t) CAIRN_INLINE { x[t] = q + t * cols + 64 * j; });
      add_products<0, 8>(f.codes(2 * j), x, first, total);
      unrolled<0, kT>([&](auto t) CAIRN_INLINE { x[t] = q + t * cols + 64 * j + 32; });
      add_products<0, 8>(f.codes(2 * j + 1), x, second, total);
    }
  }

  /// Scales or minimums times sums of activations: what offsets and minimums add up to.
  template <int kT, class Factors>
  static CAIRN_INLINE void add_sums(const Rows<kT>& rows, Factors factors, Sums<kT>& low) {
    PairSums<F::kHalved> sums[kT];
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      sums[t].load(rows.sums + t * (rows.cols / 16), rows.sums32 + t * (rows.cols / 32));
    });
    for (std::ptrdiff_t j = 0; j < kPairs; ++j) {
      const __m256i pairs[2] = {factors(j, 0), factors(j, 1)};
      unrolled<0, kT>([&](auto t) CAIRN_INLINE {
        const __m256i pair = sums[t].pair(j);
        low.of[t][0] = _mm256_add_epi32(low.of[t][0], _mm256_madd_epi16(pairs[0], pair));
        low.of[t][1] = _mm256_add_epi32(low.of[t][1], _mm256_madd_epi16(pairs[1], pair));
      });
    }
  }

  template <int kT>
  static CAIRN_INLINE void add_scaled(const Sums<kT>& total, const __m256 (&scale)[2],
                                      const __m256 (&da)[kT], Accumulators<kT>& acc) {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      unrolled<0, 2>([&](auto h) CAIRN_INLINE {
        acc.of[t][h] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(total.of[t][h]),
                                       _mm256_mul_ps(scale[h], da[t]), acc.of[t][h]);
      });
    });
  }

  template <int kT>
  static CAIRN_INLINE void add_block(const F& f, const Rows<kT>& rows, std::size_t ahead,
                                     Accumulators<kT>& acc) {
    constexpr std::size_t kShare = (F::kBytes / kPairs + 63) / 64 * 64;
    Sums<kT> total = {};
    for (std::ptrdiff_t j = 0; j < kPairs; ++j) {
      fetch_ahead<kShare>(f.at + static_cast<std::size_t>(j) * kShare, ahead);
      add_pair(f, rows.q, rows.cols, j, total);
    }
    if constexpr (F::kOffset != 0) {
      Sums<kT> low = {};
      add_sums(
          rows, [&f](std::ptrdiff_t j, std::ptrdiff_t h) CAIRN_INLINE { return f.scales(j, h); },
          low);
      const __m256i offset = _mm256_set1_epi32(F::kOffset);
      unrolled<0, kT>([&](auto t) CAIRN_INLINE {
        unrolled<0, 2>([&](auto h) CAIRN_INLINE {
          const __m256i taken = _mm256_mullo_epi32(low.of[t][h], offset);
          total.of[t][h] = _mm256_sub_epi32(total.of[t][h], taken);
        });
      });
    }
    __m256 da[kT];
    load_scales(rows, da);
    add_scaled(total, {f.d(0), f.d(1)}, da, acc);
    if constexpr (F::kMinimum) {
      Sums<kT> low = {};
      add_sums(
          rows, [&f](std::ptrdiff_t j, std::ptrdiff_t h) CAIRN_INLINE { return f.minimums(j, h); },
          low);
      add_scaled(low, {f.m(0), f.m(1)}, da, acc);
    }
  }

  template <int kT>
  static void run(const Piece& piece, const Quantised& x, std::size_t t0, float* y) {
    Accumulators<kT> acc;
    acc.load(y);
    Rows<kT> rows(x, t0, piece.k0);
    const std::byte* packed = piece.packed;
    const std::byte* const end = packed + piece.values / kSuper * F::kBytes;
    for (; packed != end; packed += F::kBytes) {
      add_block(F(packed), rows, piece.ahead, acc);
      rows.template advance<kSuper>();
    }
    acc.store(y);
  }
};

/// A block unpacked once for many tokens. Everything that follows the codes is laid out as the
/// kernel loads it: pairs of scales, pairs of minimums, d, m.
template <class F>
struct Unpacked256 {
  static constexpr std::size_t kValues = kSuper;
  using Codes = decltype(std::declval<F>().codes(0));
  static constexpr bool kHalved = F::kHalved;
  static constexpr bool kMinimum = F::kMinimum;
  static constexpr int kOffset = F::kOffset;
  static constexpr std::size_t kPairs = kHalved ? 8 : 4;
  static constexpr std::size_t kScalesAt = kSubsMax * kUnpackedBytes;
  static constexpr std::size_t kMinimumsAt = kScalesAt + kPairs * 64;
  static constexpr std::size_t kFloatsAt = kMinimumsAt + (kMinimum ? kPairs * 64 : 0);
  static constexpr std::size_t kBytes = kFloatsAt + 2 * kGroupRows * sizeof(float);

  const std::byte* at = nullptr;

  explicit CAIRN_INLINE Unpacked256(const std::byte* block) : at(block) {}
  CAIRN_INLINE auto codes(std::ptrdiff_t s) const {
    return Unpacked<Codes::kChain, Codes::kSigned>{reinterpret_cast<const std::int8_t*>(at) +
                                                   kUnpackedBytes * s};
  }
  CAIRN_INLINE __m256i scales(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return load_256(at + kScalesAt + 64 * j + 32 * h);
  }
  CAIRN_INLINE __m256i minimums(std::ptrdiff_t j, std::ptrdiff_t h) const {
    return load_256(at + kMinimumsAt + 64 * j + 32 * h);
  }
  CAIRN_INLINE __m256 d(std::ptrdiff_t h) const { return number(0, h); }
  CAIRN_INLINE __m256 m(std::ptrdiff_t h) const { return number(1, h); }
  CAIRN_INLINE __m256 number(std::ptrdiff_t i, std::ptrdiff_t h) const {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(at + kFloatsAt) + kGroupRows * i + 8 * h);
  }

  static void make(const std::byte* packed, std::size_t block, std::byte* out) {
    const F f(packed + block * F::kBytes);
    for (std::ptrdiff_t s = 0; s < std::ptrdiff_t{kSubsMax}; ++s) {
      unpack_codes(f.codes(s), reinterpret_cast<std::int8_t*>(out) + kUnpackedBytes * s);
    }
    auto* numbers = reinterpret_cast<float*>(out + kFloatsAt);
    for (std::ptrdiff_t h = 0; h < 2; ++h) {
      for (std::ptrdiff_t j = 0; j < std::ptrdiff_t{kPairs}; ++j) {
        store_256(out + kScalesAt + 64 * j + 32 * h, f.scales(j, h));
        if constexpr (kMinimum) store_256(out + kMinimumsAt + 64 * j + 32 * h, f.minimums(j, h));
      }
      _mm256_storeu_ps(numbers + 8 * h, f.d(h));
      if constexpr (kMinimum) _mm256_storeu_ps(numbers + kGroupRows + 8 * h, f.m(h));
    }
  }
};

/// Their scales cost most of the unpacking: above this many tokens it is shared.
inline constexpr std::size_t kDirectTokens256 = 8;

/// The kernel of a format; its contract is Dot's.
template <class F>
void dot_256(const DotTask& task) {
  run_dot<F, Unpacked256<F>, Dot256, 8, kDirectTokens256>(task, task.inputs->a256);
}

}  // namespace
}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
