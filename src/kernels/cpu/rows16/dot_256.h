// dot_256: the forms of 256 values under one scale, with integer scales below it (kScaled32,
// kScaledMin32, kScaled16, kScaledMin16).
//
// A format F states kBytes (of a packed block), kHalved (an integer scale per 16 values instead of
// 32), kMinimum, kOffset (taken from every code), and for a block: codes(s) of sub-block s,
// scales(j): pairs of 16-bit scales 2 j and 2 j + 1 of each row, minimums(j) likewise, d(), m().
#pragma once

#include <utility>

#include "kernels/cpu/rows16/tokens.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

inline constexpr std::size_t kSuper = 256;

/// One of two signed words of each number.
template <int kWhich>
inline CAIRN_INLINE Ints word(Ints pairs) {
  if constexpr (kWhich == 0) return wide_right(wide_left(pairs, 16), 16);
  return wide_right(pairs, 16);
}

template <class F>
struct Dot256 {
  static constexpr std::size_t kPairs = F::kHalved ? 8 : 4;

  /// total += scale * (products of k = 4 kBegin to 4 kEnd - 1).
  template <std::ptrdiff_t kBegin, std::ptrdiff_t kEnd, int kT, class Codes>
  static CAIRN_INLINE void add_run(const Codes& codes, const std::int8_t* const (&x)[kT],
                                   Ints scale, Ints (&total)[kT]) {
    Ints run[kT];
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { run[t] = every(0); });
    add_products<kBegin, kEnd>(codes, x, run);
    unrolled<0, kT>([&](auto t)
                        CAIRN_INLINE { total[t] = add(total[t], multiply(run[t], scale)); });
  }

  /// Sub-blocks 2 j and 2 j + 1, or with halves sub-block j.
  template <int kT>
  static CAIRN_INLINE void add_pair(const F& f, const Rows<kT>& rows, std::size_t j,
                                    Ints (&total)[kT]) {
    const Ints pairs = f.scales(j);
    const std::int8_t* x[kT];
    if constexpr (F::kHalved) {
      rows.codes(32 * j, x);
      add_run<0, 4>(f.codes(j), x, word<0>(pairs), total);
      add_run<4, 8>(f.codes(j), x, word<1>(pairs), total);
    } else {
      rows.codes(64 * j, x);
      add_run<0, 8>(f.codes(2 * j), x, word<0>(pairs), total);
      rows.codes(64 * j + 32, x);
      add_run<0, 8>(f.codes(2 * j + 1), x, word<1>(pairs), total);
    }
  }

  /// Sums of a token's activations 2 j and 2 j + 1, by 16 or by 32, as words of every number.
  template <int kT>
  static CAIRN_INLINE Ints sum_pair(const Rows<kT>& rows, std::size_t t, std::size_t j) {
    if constexpr (F::kHalved) return broadcast_word(rows.sums16(t) + 2 * j);
    const auto low = static_cast<std::uint32_t>(rows.sum32(t, 2 * j)) & 0xFFFFU;
    return every(
        static_cast<int>(low | static_cast<std::uint32_t>(rows.sum32(t, 2 * j + 1)) << 16));
  }

  /// low = scales or minimums times sums of activations: what offsets and minimums add up to.
  template <int kT, class Factors>
  static CAIRN_INLINE void add_sums(const Rows<kT>& rows, Factors factors, Ints (&low)[kT]) {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { low[t] = every(0); });
    for (std::size_t j = 0; j < kPairs; ++j) {
      const Ints pairs = factors(j);
      unrolled<0, kT>(
          [&](auto t) CAIRN_INLINE { low[t] = dot_words(low[t], pairs, sum_pair(rows, t, j)); });
    }
  }

  template <int kT>
  static CAIRN_INLINE void add_scaled(const Ints (&total)[kT], Floats scale, const Rows<kT>& rows,
                                      Floats (&acc)[kT]) {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      acc[t] = fused(to_floats(total[t]), multiply(scale, every_float(rows.scale(t))), acc[t]);
    });
  }

  template <int kT>
  static CAIRN_INLINE void add_block(const F& f, const Rows<kT>& rows, std::size_t ahead,
                                     Floats (&acc)[kT]) {
    constexpr std::size_t kShare = (F::kBytes / kPairs + 63) / 64 * 64;
    Ints total[kT];
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { total[t] = every(0); });
    for (std::size_t j = 0; j < kPairs; ++j) {
      fetch_ahead<kShare>(f.at + j * kShare, ahead);
      add_pair(f, rows, j, total);
    }
    finish(f, rows, total, acc);
  }

  /// acc += what the scaled sums of products `total` are worth, once offsets are taken off; and the
  /// minimums.
  template <int kT>
  static CAIRN_INLINE void finish(const F& f, const Rows<kT>& rows, Ints (&total)[kT],
                                  Floats (&acc)[kT]) {
    Ints low[kT];
    if constexpr (F::kOffset != 0) {
      add_sums(
          rows, [&f](std::size_t j) CAIRN_INLINE { return f.scales(j); }, low);
      unrolled<0, kT>([&](auto t) CAIRN_INLINE {
        total[t] = subtract(total[t], multiply(low[t], every(F::kOffset)));
      });
    }
    add_scaled(total, f.d(), rows, acc);
    if constexpr (F::kMinimum) {
      add_sums(
          rows, [&f](std::size_t j) CAIRN_INLINE { return f.minimums(j); }, low);
      add_scaled(low, f.m(), rows, acc);
    }
  }

  template <int kT>
  static void run(const Piece& piece, const Quantised& x, std::size_t t0, float* y) {
    Floats acc[kT];
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { acc[t] = load_floats(y + kGroupRows * t); });
    Rows<kT> rows{x, t0, piece.k0};
    const std::byte* packed = piece.packed;
    const std::byte* const end = packed + piece.values / kSuper * F::kBytes;
    for (; packed != end; packed += F::kBytes) {
      add_block(F(packed), rows, piece.ahead, acc);
      rows.template advance<kSuper>();
    }
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { store_floats(y + kGroupRows * t, acc[t]); });
  }
};

/// A block unpacked once for many tokens: codes, pairs of scales, pairs of minimums, d, m.
template <class F>
struct Panel256 {
  static constexpr std::size_t kValues = kSuper;
  static constexpr bool kHalved = F::kHalved;
  static constexpr bool kMinimum = F::kMinimum;
  static constexpr int kOffset = F::kOffset;
  static constexpr std::size_t kPairs = kHalved ? 8 : 4;
  static constexpr std::size_t kScalesAt = kSubsMax * kUnpackedBytes;
  static constexpr std::size_t kMinimumsAt = kScalesAt + kPairs * 64;
  static constexpr std::size_t kFloatsAt = kMinimumsAt + (kMinimum ? kPairs * 64 : 0);
  static constexpr std::size_t kBytes = kFloatsAt + 2 * kGroupRows * sizeof(float);

  const std::byte* at = nullptr;

  explicit CAIRN_INLINE Panel256(const std::byte* block) : at(block) {}
  CAIRN_INLINE Bytes codes(std::size_t s) const { return {at + kUnpackedBytes * s}; }
  CAIRN_INLINE Ints scales(std::size_t j) const { return load(at + kScalesAt + 64 * j); }
  CAIRN_INLINE Ints minimums(std::size_t j) const { return load(at + kMinimumsAt + 64 * j); }
  CAIRN_INLINE Floats d() const {
    return load_floats(reinterpret_cast<const float*>(at + kFloatsAt));
  }
  CAIRN_INLINE Floats m() const {
    return load_floats(reinterpret_cast<const float*>(at + kFloatsAt) + kGroupRows);
  }

  static void make(const std::byte* packed, std::size_t block, std::byte* out) {
    const F f(packed + block * F::kBytes);
    for (std::size_t s = 0; s < kSubsMax; ++s) unpack_codes(f.codes(s), out + kUnpackedBytes * s);
    for (std::size_t j = 0; j < kPairs; ++j) {
      store(out + kScalesAt + 64 * j, f.scales(j));
      if constexpr (kMinimum) store(out + kMinimumsAt + 64 * j, f.minimums(j));
    }
    auto* numbers = reinterpret_cast<float*>(out + kFloatsAt);
    store_floats(numbers, f.d());
    if constexpr (kMinimum) store_floats(numbers + kGroupRows, f.m());
  }
};

/// The kernel of a format; its contract is Dot's.
template <class F>
void dot_256(const DotTask& task) {
  using Codes = decltype(std::declval<const F&>().codes(0));
  run_dot<F, Codes, Panel256<F>, Dot256, 8>(task, task.inputs->a256);
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
