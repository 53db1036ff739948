// Formats of blocks of 32 with one scale: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 (pack/nibbles.cpp).
#include "kernels/cpu/avx2/dot_32.h"

#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/pack/layouts.h"

CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

/// Planes, then 16 f16 scales, then for some 16 f16 minimums.
template <std::size_t kPlanes, bool kWithMinimum, int kTaken>
struct Block32 : BlockLayout<kPlanes, kWithMinimum, kTaken> {
  const std::byte* halves = nullptr;

  explicit CAIRN_INLINE Block32(const std::byte* at) : halves(at + kPlanes) {}
  CAIRN_INLINE __m256 scale(std::ptrdiff_t /*half*/, std::ptrdiff_t h) const {
    return load_halves(halves + 16 * h);
  }
  CAIRN_INLINE __m256 minimum(std::ptrdiff_t h) const { return load_halves(halves + 32 + 16 * h); }
};

template <bool kWithMinimum, int kTaken>
struct FourBits : Block32<256, kWithMinimum, kTaken> {
  Nibbles codes;
  CAIRN_INLINE FourBits(const std::byte* at, std::size_t /*sub*/)
      : Block32<256, kWithMinimum, kTaken>(at), codes{at} {}
};

template <bool kWithMinimum, int kTaken>
struct FiveBits : Block32<320, kWithMinimum, kTaken> {
  NibblesAndBit codes;
  CAIRN_INLINE FiveBits(const std::byte* at, std::size_t /*sub*/)
      : Block32<320, kWithMinimum, kTaken>(at), codes{at, at + 256} {}
};

struct EightBits : Block32<512, false, 0> {
  Bytes codes;
  CAIRN_INLINE EightBits(const std::byte* at, std::size_t /*sub*/)
      : Block32<512, false, 0>(at), codes{at} {}
};

}  // namespace

void dot_q4_0(const DotTask& task) { dot_32<FourBits<false, 8>>(task); }
void dot_q4_1(const DotTask& task) { dot_32<FourBits<true, 0>>(task); }
void dot_q5_0(const DotTask& task) { dot_32<FiveBits<false, 16>>(task); }
void dot_q5_1(const DotTask& task) { dot_32<FiveBits<true, 0>>(task); }
void dot_q8_0(const DotTask& task) { dot_32<EightBits>(task); }

}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END
