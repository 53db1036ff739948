// rows16: dots of bytes for tiers whose vectors are 4 values of k for all 16 rows of a group.
//
// Purpose     kernels of every quantised format, written once over the names of a tier's vectors.h:
//             a vector is 64 bytes, however many registers that takes.
// Invariants  included after the tier's vectors.h, which names the tier (CAIRN_TIER), opens its
//             target region (CAIRN_TIER_BEGIN, CAIRN_TIER_END) and says what its dots multiply
//             (kByteOffset, from_stored) and how many tokens its registers hold (kTokens). All here
//             has internal linkage: each tier gets its own copy, in its own region.
// Threads     pure functions.
// Adding      a format: a struct in a formats_*.h and its row there. A tier: its vectors.h, and a
//             table.cpp with kRows16 in it.
#pragma once

#include <array>

#include "kernels/cpu/rows16/formats_256.h"
#include "kernels/cpu/rows16/formats_32.h"
#include "kernels/cpu/rows16/formats_grids.h"

namespace cairn::kernels::CAIRN_TIER {
namespace {

/// The kernels of all quantised formats.
inline constexpr DotRow kRows16[] = {
    {ElementType::kQ4_0, &dot_32<FourBits<false, 8>>},
    {ElementType::kQ4_1, &dot_32<FourBits<true, 0>>},
    {ElementType::kQ5_0, &dot_32<FiveBits<false, 16>>},
    {ElementType::kQ5_1, &dot_32<FiveBits<true, 0>>},
    {ElementType::kQ8_0, &dot_32<EightBits>},
    {ElementType::kIQ4_NL, &dot_32<Iq4Nl>},
    {ElementType::kMXFP4, &dot_32<Mxfp4>},
    {ElementType::kNVFP4, &dot_32<Nvfp4>},
    {ElementType::kQ1_0, &dot_32<OneBit>},
    {ElementType::kQ2_0, &dot_32<TwoBits>},
    {ElementType::kQ2_K, &dot_256<Q2K>},
    {ElementType::kQ3_K, &dot_256<Q3K>},
    {ElementType::kQ4_K, &dot_256<Q4K>},
    {ElementType::kQ5_K, &dot_256<Q5K>},
    {ElementType::kQ6_K, &dot_256<Q6K>},
    {ElementType::kTQ1_0, &dot_256<Ternary>},
    {ElementType::kTQ2_0, &dot_256<Ternary>},
    {ElementType::kIQ4_XS, &dot_256<Iq4Xs>},
    {ElementType::kIQ1_S, &dot_grid<false>},
    {ElementType::kIQ2_XXS, &dot_grid<false>},
    {ElementType::kIQ3_XXS, &dot_grid<false>},
    {ElementType::kIQ3_S, &dot_grid<false>},
    {ElementType::kIQ1_M, &dot_grid<true>},
    {ElementType::kIQ2_XS, &dot_grid<true>},
    {ElementType::kIQ2_S, &dot_grid<true>},
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
