// formats: the kernel of each quantised format: few tokens by the AVX-512 VNNI tier, many by tiles.
#pragma once

#include "kernels/cpu/amx/dot_tiles.h"
#include "kernels/cpu/amx/signed_panels.h"
#include "kernels/cpu/avx512vnni/avx512vnni.h"
#include "kernels/cpu/rows16/formats_256.h"
#include "kernels/cpu/rows16/formats_32.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// From so many tokens on tiles are used: below, a tile is mostly empty and VNNI has caught up.
inline constexpr std::size_t kTilesFrom = 12;

/// Panels of kUnits blocks of F, each unpacked once and met by all tokens.
template <class Panel, template <class, int, bool> class Kernel, std::size_t kUnits>
void dot_panels(const DotTask& task, const Quantised& x) {
  if (task.tokens.end - task.tokens.begin < kTilesFrom) {
    return avx512vnni::kTable.dot_of(*task.segment)(task);
  }
  constexpr std::size_t kRun = Kernel<Panel, 1, true>::kRun;
  const Products<kRun> products(task.tokens);
  const std::size_t group_bytes = task.segment->group_bytes;
  const std::size_t run_bytes = task.ahead == 0 ? 0 : group_bytes * kRun / task.segment->cols;
  alignas(64) std::byte panel[kUnits * Panel::kBytes];
  each_group(task, [&](const std::byte* packed, float* y) {
    const std::size_t all = task.segment->cols / Panel::kValues;
    for (std::size_t u0 = 0; u0 < all; u0 += kUnits) {
      const std::size_t units = all - u0 < kUnits ? all - u0 : kUnits;
      for (std::size_t u = 0; u < units; ++u) {
        Panel::make(packed, u0 + u, panel + u * Panel::kBytes);
      }
      run_tiles<Panel, Kernel>(products, {panel, u0 * Panel::kValues, units * Panel::kValues},
                               {x, task.tokens, y},
                               {packed + group_bytes * (all + u0) / all, run_bytes});
    }
  });
}

/// The dots of a format in blocks of 32 through the tiles.
template <class F>
void tiles_32(const DotTask& task) {
  dot_panels<SignedPanel32<F>, Tiles32, 64>(task, task.inputs->a32);
}
/// The same for super-blocks of 256.
template <class F>
void tiles_256(const DotTask& task) {
  dot_panels<SignedPanel256<F>, Tiles256, 8>(task, task.inputs->a256);
}

inline constexpr DotRow kTileRows[] = {
    {ElementType::kQ4_0, &tiles_32<FourBits<false, 8>>},
    {ElementType::kQ4_1, &tiles_32<FourBits<true, 0>>},
    {ElementType::kQ5_0, &tiles_32<FiveBits<false, 16>>},
    {ElementType::kQ5_1, &tiles_32<FiveBits<true, 0>>},
    {ElementType::kQ8_0, &tiles_32<EightBits>},
    {ElementType::kIQ4_NL, &tiles_32<Iq4Nl>},
    {ElementType::kMXFP4, &tiles_32<Mxfp4>},
    {ElementType::kNVFP4, &tiles_32<Nvfp4>},
    {ElementType::kQ1_0, &tiles_32<OneBit>},
    {ElementType::kQ2_0, &tiles_32<TwoBits>},
    {ElementType::kQ2_K, &tiles_256<Q2K>},
    {ElementType::kQ3_K, &tiles_256<Q3K>},
    {ElementType::kQ4_K, &tiles_256<Q4K>},
    {ElementType::kQ5_K, &tiles_256<Q5K>},
    {ElementType::kQ6_K, &tiles_256<Q6K>},
    {ElementType::kTQ1_0, &tiles_256<Ternary>},
    {ElementType::kTQ2_0, &tiles_256<Ternary>},
    {ElementType::kIQ4_XS, &tiles_256<Iq4Xs>},
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
