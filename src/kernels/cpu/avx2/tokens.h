// tokens: what the dot kernels share: where a task's tokens stand, and how they are dealt out.
#pragma once

#include "kernels/cpu/avx2/codes.h"
#include "kernels/cpu/kernels.h"

// Below stand this tier's instructions.
CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// Tokens that share a vector of codes in registers.
inline constexpr int kTokens = 4;

/// For run_dot: a packed block is never unpacked into memory.
inline constexpr std::size_t kAlwaysDirect = ~std::size_t{0};

/// Accumulators of kT tokens and 16 rows.
template <int kT>
struct Accumulators {
  __m256 of[kT][2];

  CAIRN_INLINE void load(const float* y) {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      of[t][0] = _mm256_loadu_ps(y + kGroupRows * t);
      of[t][1] = _mm256_loadu_ps(y + kGroupRows * t + 8);
    });
  }
  CAIRN_INLINE void store(float* y) const {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      _mm256_storeu_ps(y + kGroupRows * t, of[t][0]);
      _mm256_storeu_ps(y + kGroupRows * t + 8, of[t][1]);
    });
  }
};

/// The encoded rows of kT tokens from value k0 on, t strides apart.
template <int kT>
struct Rows {
  const std::int8_t* q = nullptr;
  const float* d = nullptr;
  const std::int16_t* sums = nullptr;
  const std::int32_t* sums32 = nullptr;
  const float* float_sums32 = nullptr;
  std::size_t cols = 0;
  std::size_t blocks = 0;

  CAIRN_INLINE Rows(const Quantised& x, std::size_t t0, std::size_t k0)
      : q(x.q_row(t0) + k0),
        d(x.d_row(t0) + k0 / x.block),
        sums(x.sums_row(t0) + k0 / 16),
        sums32(x.sums32_row(t0) + k0 / 32),
        float_sums32(x.float_sums32 + t0 * (x.cols / 32) + k0 / 32),
        cols(x.cols),
        blocks(x.cols / x.block) {}

  /// `by` values further, a whole number of blocks.
  CAIRN_INLINE void advance(std::size_t by, std::size_t block) {
    q += by;
    d += by / block;
    sums += by / 16;
    sums32 += by / 32;
    float_sums32 += by / 32;
  }
  CAIRN_INLINE void codes(const std::int8_t* (&out)[kT]) const {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { out[t] = q + t * cols; });
  }
  CAIRN_INLINE void scales(__m256 (&out)[kT]) const {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { out[t] = _mm256_broadcast_ss(d + t * blocks); });
  }
  CAIRN_INLINE int sum16(int t, std::size_t i) const {
    return sums[static_cast<std::size_t>(t) * (cols / 16) + i];
  }
  CAIRN_INLINE int sum32(int t) const { return sums32[static_cast<std::size_t>(t) * (cols / 32)]; }
  CAIRN_INLINE const float* float_sum32(int t) const {
    return float_sums32 + static_cast<std::size_t>(t) * (cols / 32);
  }
};

/// A piece of a row group along k: whole blocks at `packed`, which stand at value k0 of their rows.
struct Piece {
  const std::byte* packed = nullptr;
  std::size_t k0 = 0;
  std::size_t values = 0;
  std::size_t ahead = 0;  // bytes before they are read, packed bytes are asked for
};

/// y [tokens, 16] += the piece times the tokens, with K::run<kT> for up to kTokens of them.
template <class K, class X>
inline void deal_tokens(const Piece& piece, const X& x, TokenRange tokens, float* y) {
  std::size_t t = tokens.begin;
  for (; t + kTokens <= tokens.end; t += kTokens, y += kTokens * kGroupRows) {
    K::template run<kTokens>(piece, x, t, y);
  }
  switch (tokens.end - t) {
    case 1:
      return K::template run<1>(piece, x, t, y);
    case 2:
      return K::template run<2>(piece, x, t, y);
    case 3:
      return K::template run<3>(piece, x, t, y);
    default:
      return;
  }
}

/// Sets `count` floats, a multiple of 8, to +0.
inline void clear(float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 8) _mm256_storeu_ps(y + i, _mm256_setzero_ps());
}

/// For each row group of the task: y = 0, then each(packed group, y).
template <class Each>
inline void each_group(const DotTask& task, Each each) {
  const std::size_t count = (task.tokens.end - task.tokens.begin) * kGroupRows;
  for (std::size_t g = 0; g < task.groups; ++g) {
    float* y = task.y + g * count;
    clear(y, count);
    each(task.segment->group(task.group + g), y);
  }
}

/// Packed blocks F are unpacked again for each kTokens tokens.
template <class F, template <class> class Kernel>
inline void run_direct(const DotTask& task, const Quantised& x) {
  each_group(task, [&](const std::byte* packed, float* y) {
    deal_tokens<Kernel<F>>({packed, 0, task.segment->cols, task.ahead}, x, task.tokens, y);
  });
}

/// A panel of kUnits blocks is unpacked once for all tokens. Panel::make(packed group, unit, out)
/// unpacks its unit of Panel::kValues values.
template <class Panel, template <class> class Kernel, std::size_t kUnits>
inline void run_panels(const DotTask& task, const Quantised& x) {
  const std::size_t cols = task.segment->cols;
  alignas(64) std::byte panel[kUnits * Panel::kBytes];
  each_group(task, [&](const std::byte* packed, float* y) {
    const std::size_t all = cols / Panel::kValues;
    for (std::size_t u0 = 0; u0 < all; u0 += kUnits) {
      const std::size_t units = all - u0 < kUnits ? all - u0 : kUnits;
      for (std::size_t u = 0; u < units; ++u) {
        Panel::make(packed, u0 + u, panel + u * Panel::kBytes);
      }
      deal_tokens<Kernel<Panel>>({panel, u0 * Panel::kValues, units * Panel::kValues}, x,
                                 task.tokens, y);
    }
  });
}

/// Up to kDirect tokens meet packed blocks F directly, more of them panels: Kernel<> runs on both.
template <class F, class Panel, template <class> class Kernel, std::size_t kUnits,
          std::size_t kDirect>
inline void run_dot(const DotTask& task, const Quantised& x) {
  if constexpr (kDirect == kAlwaysDirect) {
    run_direct<F, Kernel>(task, x);
  } else if (task.tokens.end - task.tokens.begin <= kDirect) {
    run_direct<F, Kernel>(task, x);
  } else {
    run_panels<Panel, Kernel, kUnits>(task, x);
  }
}

}  // namespace
}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
