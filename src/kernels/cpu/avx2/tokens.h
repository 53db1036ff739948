// tokens: how the dot kernels deal out a task's tokens.
#pragma once

#include "kernels/cpu/avx2/codes.h"
#include "kernels/cpu/lanes/rows.h"

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

/// The scales of the block that the rows stand at.
template <int kT>
inline CAIRN_INLINE void load_scales(const Rows<kT>& rows, __m256 (&out)[kT]) {
  unrolled<0, kT>([&](auto t)
                      CAIRN_INLINE { out[t] = _mm256_set1_ps(rows.scale(std::size_t{t})); });
}

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
