// dot_32: the forms that scale every 32 or 16 values (kPlain32, kMinimum32, kPlain16).
//
// A format F states kSubs (sub-blocks in a packed block), kBytes (of the block), kHalved (a scale
// per 16 values), kMinimum, kOffset (taken from every code), and for a sub-block: codes, scale(i)
// of half i, minimum().
#pragma once

#include "kernels/cpu/rows16/tokens.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

template <class F>
struct Dot32 {
  /// acc = fma(float(total - kOffset * sum), scale * da, acc).
  template <int kT, class Sum>
  static CAIRN_INLINE void add_scaled(const Ints (&total)[kT], Floats scale, const Rows<kT>& rows,
                                      Sum sum, Floats (&acc)[kT]) {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      Ints isum = total[t];
      if constexpr (F::kOffset != 0) isum = subtract(isum, every(F::kOffset * sum(t)));
      acc[t] = fused(to_floats(isum), multiply(scale, every_float(rows.scale(t))), acc[t]);
    });
  }

  template <int kT>
  static CAIRN_INLINE void add_sub_block(const F& f, const Rows<kT>& rows, Floats (&acc)[kT]) {
    const std::int8_t* x[kT];
    rows.codes(0, x);
    Ints total[kT];
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { total[t] = every(0); });
    if constexpr (F::kHalved) {
      add_products<0, 4>(f.codes, x, total);
      add_scaled(
          total, f.scale(0), rows, [&](std::ptrdiff_t t) { return rows.sums16(t)[0]; }, acc);
      unrolled<0, kT>([&](auto t) CAIRN_INLINE { total[t] = every(0); });
      add_products<4, 8>(f.codes, x, total);
      add_scaled(
          total, f.scale(1), rows, [&](std::ptrdiff_t t) { return rows.sums16(t)[1]; }, acc);
    } else {
      add_products<0, 8>(f.codes, x, total);
      add_scaled(
          total, f.scale(0), rows, [&](std::ptrdiff_t t) { return rows.sums32(t)[0]; }, acc);
    }
    add_minimum(f, rows, acc);
  }

  template <int kT>
  static CAIRN_INLINE void add_minimum(const F& f, const Rows<kT>& rows, Floats (&acc)[kT]) {
    if constexpr (F::kMinimum) {
      const Floats minimum = f.minimum();
      unrolled<0, kT>([&](auto t) CAIRN_INLINE {
        const Floats msum = to_floats(every(rows.sums32(t)[0]));
        acc[t] = fused(msum, multiply(minimum, every_float(rows.scale(t))), acc[t]);
      });
    }
  }

  template <int kT>
  static void run(const Piece& piece, const Quantised& x, std::size_t t0, float* y) {
    Floats acc[kT];
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { acc[t] = load_floats(y + kGroupRows * t); });
    Rows<kT> rows{x, t0, piece.k0};
    const std::byte* packed = piece.packed;
    const std::byte* const end = packed + piece.values / (F::kSubs * kSubValues) * F::kBytes;
    for (; packed != end; packed += F::kBytes) {
      fetch_ahead<F::kBytes>(packed, piece.ahead);
      for (std::size_t sub = 0; sub < F::kSubs; ++sub, rows.k += kSubValues) {
        add_sub_block(F(packed, sub), rows, acc);
      }
    }
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { store_floats(y + kGroupRows * t, acc[t]); });
  }
};

/// A sub-block unpacked once for many tokens: codes, then 16 scales per half, then 16 minimums.
template <class F>
struct Panel32 {
  static constexpr std::size_t kValues = kSubValues;
  static constexpr std::size_t kSubs = 1;
  static constexpr std::size_t kScales = F::kHalved ? 2 : 1;
  static constexpr std::size_t kBytes =
      kUnpackedBytes + (kScales + (F::kMinimum ? 1 : 0)) * kGroupRows * sizeof(float);
  static constexpr bool kHalved = F::kHalved;
  static constexpr bool kMinimum = F::kMinimum;
  static constexpr int kOffset = F::kOffset;

  Bytes codes;
  const float* numbers = nullptr;

  CAIRN_INLINE Panel32(const std::byte* at, std::size_t /*sub*/)
      : codes{at}, numbers(reinterpret_cast<const float*>(at + kUnpackedBytes)) {}
  CAIRN_INLINE Floats scale(std::size_t half) const {
    return load_floats(numbers + kGroupRows * half);
  }
  CAIRN_INLINE Floats minimum() const { return load_floats(numbers + kGroupRows * kScales); }

  static CAIRN_INLINE void make(const std::byte* packed, std::size_t sub, std::byte* at) {
    const F f(packed + sub / F::kSubs * F::kBytes, sub % F::kSubs);
    unpack_codes(f.codes, at);
    auto* out = reinterpret_cast<float*>(at + kUnpackedBytes);
    store_floats(out, f.scale(0));
    if constexpr (kHalved) store_floats(out + kGroupRows, f.scale(1));
    if constexpr (kMinimum) store_floats(out + kGroupRows * kScales, f.minimum());
  }
};

/// The kernel of a format; its contract is Dot's.
template <class F>
void dot_32(const DotTask& task) {
  run_dot<F, Panel32<F>, Dot32, 64>(task, task.inputs->a32);
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
