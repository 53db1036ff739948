// dot_32: the forms that scale every 32 or 16 values (kPlain32, kMinimum32, kPlain16).
//
// A format F states kSubs (sub-blocks in a packed block), kBytes (of the block), kHalved (a scale
// per 16 values), kMinimum, kOffset (taken from every code), and for a sub-block: codes, scale(i,
// h) of half i, minimum(h).
#pragma once

#include "kernels/cpu/avx2/tokens.h"

// Below stand this tier's instructions.
CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// The sums of integers of kT tokens, less what the codes' offset added.
template <int kOffset, int kT, class Sum>
inline CAIRN_INLINE void take_offset(Sums<kT>& total, Sum sum) {
  if constexpr (kOffset != 0) {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      const __m256i offset = _mm256_set1_epi32(kOffset * sum(t));
      total.of[t][0] = _mm256_sub_epi32(total.of[t][0], offset);
      total.of[t][1] = _mm256_sub_epi32(total.of[t][1], offset);
    });
  }
}

/// acc = fma(float(total), scale * da, acc).
template <int kT>
inline CAIRN_INLINE void add_scaled(const Sums<kT>& total, const __m256 (&scale)[2],
                                    const __m256 (&da)[kT], Accumulators<kT>& acc) {
  unrolled<0, kT>([&](auto t) CAIRN_INLINE {
    unrolled<0, 2>([&](auto h) CAIRN_INLINE {
      acc.of[t][h] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(total.of[t][h]),
                                     _mm256_mul_ps(scale[h], da[t]), acc.of[t][h]);
    });
  });
}

template <class F>
struct Dot32 {
  template <int kT>
  static CAIRN_INLINE void add_half(const F& f, const Rows<kT>& rows, std::ptrdiff_t half,
                                    Accumulators<kT>& acc) {
    const __m256i ones[2] = {_mm256_set1_epi16(1), _mm256_set1_epi16(1)};
    Sums<kT> total = {};
    const std::int8_t* x[kT];
    rows.codes(0, x);
    if (half == 0) {
      add_products<0, 4>(f.codes, x, ones, total);
    } else {
      add_products<4, 8>(f.codes, x, ones, total);
    }
    take_offset<F::kOffset>(total, [&](std::size_t t) { return int{rows.sums16(t)[half]}; });
    __m256 da[kT];
    load_scales(rows, da);
    add_scaled(total, {f.scale(half, 0), f.scale(half, 1)}, da, acc);
  }

  template <int kT>
  static CAIRN_INLINE void add_whole(const F& f, const Rows<kT>& rows, Accumulators<kT>& acc) {
    const __m256i ones[2] = {_mm256_set1_epi16(1), _mm256_set1_epi16(1)};
    Sums<kT> total = {};
    const std::int8_t* x[kT];
    rows.codes(0, x);
    add_products<0, 8>(f.codes, x, ones, total);
    take_offset<F::kOffset>(total, [&](std::size_t t) { return rows.sum32(t); });
    __m256 da[kT];
    load_scales(rows, da);
    add_scaled(total, {f.scale(0, 0), f.scale(0, 1)}, da, acc);
    if constexpr (F::kMinimum) {
      const __m256 minimum[2] = {f.minimum(0), f.minimum(1)};
      unrolled<0, kT>([&](auto t) CAIRN_INLINE {
        const __m256 msum = _mm256_set1_ps(rows.scaled_sum32(t));
        unrolled<0, 2>([&](auto h) CAIRN_INLINE {
          acc.of[t][h] = _mm256_fmadd_ps(msum, minimum[h], acc.of[t][h]);
        });
      });
    }
  }

  template <int kT>
  static void run(const Piece& piece, const Quantised& x, std::size_t t0, float* y) {
    Accumulators<kT> acc;
    acc.load(y);
    Rows<kT> rows(x, t0, piece.k0);
    const std::byte* packed = piece.packed;
    const std::byte* const end = packed + piece.values / (F::kSubs * kSubValues) * F::kBytes;
    for (; packed != end; packed += F::kBytes) {
      fetch_ahead<F::kBytes>(packed, piece.ahead);
      for (std::size_t sub = 0; sub < F::kSubs; ++sub) {
        const F f(packed, sub);
        if constexpr (F::kHalved) {
          add_half(f, rows, 0, acc);
          add_half(f, rows, 1, acc);
        } else {
          add_whole(f, rows, acc);
        }
        rows.template advance<kSubValues>();
      }
    }
    acc.store(y);
  }
};

/// A sub-block unpacked once for many tokens: codes, then 16 scales per half, then 16 minimums.
template <class F>
struct Unpacked32 {
  static constexpr std::size_t kValues = kSubValues;
  static constexpr std::size_t kSubs = 1;
  static constexpr std::size_t kScales = F::kHalved ? 2 : 1;
  static constexpr std::size_t kBytes =
      kUnpackedBytes + (kScales + (F::kMinimum ? 1 : 0)) * kGroupRows * sizeof(float);
  static constexpr bool kHalved = F::kHalved;
  static constexpr bool kMinimum = F::kMinimum;
  static constexpr int kOffset = F::kOffset;

  Unpacked<decltype(F::codes)::kChain, decltype(F::codes)::kSigned> codes;
  const float* scales = nullptr;

  CAIRN_INLINE Unpacked32(const std::byte* at, std::size_t /*sub*/)
      : codes{reinterpret_cast<const std::int8_t*>(at)},
        scales(reinterpret_cast<const float*>(at + kUnpackedBytes)) {}
  CAIRN_INLINE __m256 scale(std::ptrdiff_t half, std::ptrdiff_t h) const {
    return _mm256_load_ps(scales + kGroupRows * half + 8 * h);
  }
  CAIRN_INLINE __m256 minimum(std::ptrdiff_t h) const {
    return _mm256_load_ps(scales + kGroupRows * kScales + 8 * h);
  }

  static CAIRN_INLINE void make(const std::byte* packed, std::size_t sub, std::byte* at) {
    const F f(packed + sub / F::kSubs * F::kBytes, sub % F::kSubs);
    unpack_codes(f.codes, reinterpret_cast<std::int8_t*>(at));
    auto* out = reinterpret_cast<float*>(at + kUnpackedBytes);
    unrolled<0, 2>([&](auto h) CAIRN_INLINE {
      _mm256_store_ps(out + 8 * h, f.scale(0, h));
      if constexpr (kHalved) _mm256_store_ps(out + kGroupRows + 8 * h, f.scale(1, h));
      if constexpr (kMinimum) _mm256_store_ps(out + kGroupRows * kScales + 8 * h, f.minimum(h));
    });
  }
};

/// Units of a panel: with its scales it stays in the first cache, beside the tokens.
inline constexpr std::size_t kPanelUnits = 24;

/// Nibbles and bytes are unpacked faster than a panel is read; other codes cost enough that many
/// tokens should share the work (docs/cpu-speed.md has the figures).
template <class Codes>
inline constexpr std::size_t kDirectTokens =
    std::is_same_v<Codes, Nibbles> || std::is_same_v<Codes, Bytes> ? kAlwaysDirect : 64;

/// The kernel of a format; its contract is Dot's.
template <class F>
void dot_32(const DotTask& task) {
  run_dot<F, Unpacked32<F>, Dot32, kPanelUnits, kDirectTokens<decltype(F::codes)>>(
      task, task.inputs->a32);
}

}  // namespace
}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
