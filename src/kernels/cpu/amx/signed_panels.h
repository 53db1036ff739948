// signed_panels: rows16/'s panels with the offsets taken off their codes, as tiles multiply signed
// bytes: what is left fits in one, and no sums of activations are needed to correct products.
#pragma once

#include "kernels/cpu/amx/tiles.h"
#include "kernels/cpu/rows16/dot_256.h"
#include "kernels/cpu/rows16/dot_32.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// Takes `offset` from `count` unpacked codes; offsets of 128 turn the sign bit over.
inline CAIRN_INLINE void take_offset(std::byte* codes, std::size_t count, int offset) {
  for (std::size_t i = 0; i < count; i += 64) {
    store(codes + i, subtract_bytes(load(codes + i), every_byte(offset)));
  }
}

/// Panel32 of signed codes.
template <class F>
struct SignedPanel32 : Panel32<F> {
  static constexpr int kOffset = 0;
  CAIRN_INLINE SignedPanel32(const std::byte* at, std::size_t sub) : Panel32<F>(at, sub) {}

  static CAIRN_INLINE void make(const std::byte* packed, std::size_t sub, std::byte* at) {
    Panel32<F>::make(packed, sub, at);
    if constexpr (F::kOffset != 0) take_offset(at, kUnpackedBytes, F::kOffset);
  }
};

/// Panel256 of signed codes.
template <class F>
struct SignedPanel256 : Panel256<F> {
  static constexpr int kOffset = 0;
  explicit CAIRN_INLINE SignedPanel256(const std::byte* block) : Panel256<F>(block) {}

  static void make(const std::byte* packed, std::size_t block, std::byte* out) {
    Panel256<F>::make(packed, block, out);
    if constexpr (F::kOffset != 0) take_offset(out, kSubsMax * kUnpackedBytes, F::kOffset);
  }
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
