// dot_32: the forms that scale every 32 or 16 values (kPlain32, kMinimum32, kPlain16).
//
// A format F states kSubs (sub-blocks in a packed block), kBytes (of the block), kHalved (a scale
// per 16 values), kMinimum, kOffset (taken from every code), and for a sub-block: codes, scale(i)
// of half i, minimum().
#pragma once

#include <bit>

#include "kernels/cpu/rows16/tokens.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// What sums of products begin with so that kOffset is taken from every code: -kOffset * sum.
template <int kOffset, int kT>
inline CAIRN_INLINE Ints start_of(const Rows<kT>& rows, std::size_t t) {
  if constexpr (kOffset == 0) return every(0);
  if constexpr (kOffset == 128) return every(rows.minus128_sum32(t));
  if constexpr (std::has_single_bit(static_cast<unsigned>(kOffset))) {
    return wide_right(every(rows.minus128_sum32(t)),
                      static_cast<unsigned>(std::countr_zero(128U / unsigned{kOffset})));
  }
  return every(-kOffset * rows.sum32(t));
}

template <class F>
struct Dot32 {
  /// acc = fma(float(total), scale * da, acc).
  template <int kT>
  static CAIRN_INLINE void add_scaled(const Ints (&total)[kT], Floats scale, const Rows<kT>& rows,
                                      Floats (&acc)[kT]) {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      acc[t] = fused(to_floats(total[t]), multiply(scale, every_float(rows.scale(t))), acc[t]);
    });
  }

  /// Half `kHalf` of a sub-block under its own scale.
  template <std::ptrdiff_t kHalf, int kT>
  static CAIRN_INLINE void add_half(const F& f, const std::int8_t* const (&x)[kT],
                                    const Rows<kT>& rows, Floats (&acc)[kT]) {
    Ints total[kT];
    unrolled<0, kT>([&](auto t)
                        CAIRN_INLINE { total[t] = every(-F::kOffset * rows.sums16(t)[kHalf]); });
    add_products<4 * kHalf, 4 * kHalf + 4>(f.codes, x, total);
    add_scaled(total, f.scale(kHalf), rows, acc);
  }

  template <int kT>
  static CAIRN_INLINE void add_sub_block(const F& f, const Rows<kT>& rows, Floats (&acc)[kT]) {
    const std::int8_t* x[kT];
    rows.codes(0, x);
    if constexpr (F::kHalved) {
      add_half<0>(f, x, rows, acc);
      add_half<1>(f, x, rows, acc);
    } else {
      Ints total[kT];
      unrolled<0, kT>([&](auto t) CAIRN_INLINE { total[t] = start_of<F::kOffset>(rows, t); });
      add_products<0, 8>(f.codes, x, total);
      add_scaled(total, f.scale(0), rows, acc);
    }
    add_minimum(f, rows, acc);
  }

  template <int kT>
  static CAIRN_INLINE void add_minimum(const F& f, const Rows<kT>& rows, Floats (&acc)[kT]) {
    if constexpr (F::kMinimum) {
      const Floats minimum = f.minimum();
      unrolled<0, kT>([&](auto t) CAIRN_INLINE {
        acc[t] = fused(minimum, every_float(rows.scaled_sum32(t)), acc[t]);
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
      for (std::size_t sub = 0; sub < F::kSubs; ++sub) {
        add_sub_block(F(packed, sub), rows, acc);
        rows.template advance<kSubValues>();
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
  run_dot<F, decltype(F::codes), Panel32<F>, Dot32, 64>(task, task.inputs->a32);
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
