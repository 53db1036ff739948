// unrolled: loops whose counter is a constant, so that arrays indexed by it become registers.
#pragma once

#include <cstddef>
#include <type_traits>

#include "kernels/cpu/target.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// body(kBegin), body(kBegin + kStep), ... below kEnd.
template <std::ptrdiff_t kBegin, std::ptrdiff_t kEnd, std::ptrdiff_t kStep = 1, class Body>
inline CAIRN_INLINE void unrolled(Body body) {
  if constexpr (kBegin < kEnd) {
    body(std::integral_constant<std::ptrdiff_t, kBegin>{});
    unrolled<kBegin + kStep, kEnd, kStep>(body);
  }
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
