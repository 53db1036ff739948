// Layouts: where the parts of a packed block of 16 rows stand, and how its codes count, for the
// tiers that read it. The packers beside this file write the same.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/pack/planes.h"

namespace cairn::kernels {

/// A block of 32 values: the planes of `kSubBlocks` sub-blocks, then 16 f16 scales, then for some
/// 16 f16 minimums. `kTaken` is what the format takes from a code.
template <std::size_t kPlanes, bool kWithMinimum, int kTaken, std::size_t kSubBlocks = 1>
struct BlockLayout {
  static constexpr std::size_t kSubs = kSubBlocks;
  static constexpr std::size_t kBytes = kPlanes + (kWithMinimum ? 64 : 32);
  static constexpr bool kHalved = false;  // one scale for both halves of 32 values
  static constexpr bool kMinimum = kWithMinimum;
  static constexpr int kOffset = kTaken;
};

/// Which values share a scale of a super-block.
enum class ScaleShare : std::uint8_t { kSubBlock, kHalfSubBlock };

/// A super-block of 256 values: planes, then `kScaleBytes` bytes of scales per row by pairs, then
/// f16 numbers: 16 scales of scales, and for some 16 of minimums.
template <std::size_t kPlanes, std::size_t kScaleBytes, ScaleShare kShare, bool kWithMinimum,
          int kTaken>
struct SuperLayout {
  static constexpr std::size_t kScalesAt = kPlanes;
  static constexpr std::size_t kHalvesAt = kPlanes + kGroupRows * kScaleBytes;
  static constexpr std::size_t kBytes = kHalvesAt + (kWithMinimum ? 64 : 32);
  static constexpr bool kHalved = kShare == ScaleShare::kHalfSubBlock;
  static constexpr bool kMinimum = kWithMinimum;
  static constexpr int kOffset = kTaken;
};

using Q2KLayout = SuperLayout<kSuperPairs, 16, ScaleShare::kHalfSubBlock, true, 0>;
using Q3KLayout = SuperLayout<kSuperBits + kSuperPairs, 16, ScaleShare::kHalfSubBlock, false, 4>;
using Q4KLayout = SuperLayout<kSuperNibbles, 16, ScaleShare::kSubBlock, true, 0>;
using Q5KLayout = SuperLayout<kSuperNibbles + kSuperBits, 16, ScaleShare::kSubBlock, true, 0>;
using Q6KLayout =
    SuperLayout<kSuperNibbles + kSuperPairs, 16, ScaleShare::kHalfSubBlock, false, 32>;
/// Both ternary formats: one scale for all.
using TernaryLayout = SuperLayout<kSuperPairs, 0, ScaleShare::kSubBlock, false, 1>;
/// IQ4_XS; a tier that needs unsigned codes takes what it added away again.
template <int kTaken>
using Iq4XsLayout = SuperLayout<kSuperNibbles, 8, ScaleShare::kSubBlock, false, kTaken>;

}  // namespace cairn::kernels
