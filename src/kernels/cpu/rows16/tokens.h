// tokens: how the dot kernels deal out a task's tokens.
#pragma once

#include "kernels/cpu/lanes/rows.h"
#include "kernels/cpu/rows16/codes.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// Up to this many tokens a packed block is unpacked again for each few of them; above it once,
/// into memory. Nibbles and bytes are unpacked faster than a panel is read (docs/cpu-speed.md).
template <class Codes>
inline constexpr std::size_t kDirectTokens =
    std::is_same_v<Codes, Nibbles> || std::is_same_v<Codes, StoredBytes> ? ~std::size_t{0} : 8;

/// y [tokens, 16] += the piece times the tokens, with K::run<kT> for kMost or fewer of them.
template <class K, int kMost>
inline void deal_tokens(const Piece& piece, const Quantised& x, TokenRange tokens, float* y) {
  std::size_t t = tokens.begin;
  for (; t + kMost <= tokens.end; t += kMost, y += kMost * kGroupRows) {
    K::template run<kMost>(piece, x, t, y);
  }
  if constexpr (kMost > 1) {
    if (t < tokens.end) deal_tokens<K, kMost / 2>(piece, x, {t, tokens.end}, y);
  }
}

/// Packed blocks F, whose codes are Codes, times tokens: few directly, many from an unpacked panel
/// of kUnits blocks. `Kernel<F>` runs on both.
template <class F, class Codes, class Panel, template <class> class Kernel, std::size_t kUnits>
inline void run_dot(const DotTask& task, const Quantised& x) {
  const std::size_t cols = task.segment->cols;
  if (task.tokens.end - task.tokens.begin <= kDirectTokens<Codes>) {
    each_group(task, [&](const std::byte* packed, float* y) {
      deal_tokens<Kernel<F>, kTokens>({packed, 0, cols, task.ahead}, x, task.tokens, y);
    });
    return;
  }
  alignas(64) std::byte panel[kUnits * Panel::kBytes];
  each_group(task, [&](const std::byte* packed, float* y) {
    const std::size_t all = cols / Panel::kValues;
    for (std::size_t u0 = 0; u0 < all; u0 += kUnits) {
      const std::size_t units = all - u0 < kUnits ? all - u0 : kUnits;
      for (std::size_t u = 0; u < units; ++u) {
        Panel::make(packed, u0 + u, panel + u * Panel::kBytes);
      }
      deal_tokens<Kernel<Panel>, kTokens>({panel, u0 * Panel::kValues, units * Panel::kValues}, x,
                                          task.tokens, y);
    }
  });
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
