// rows: where a dot task's tokens and weights stand, over a tier's fetch.
#pragma once

#include <algorithm>

#include "kernels/cpu/kernels.h"
#include "kernels/cpu/lanes/unrolled.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// The encoded rows of kT tokens from value k0 on, t strides apart.
template <int kT>
struct Rows {
  const std::int8_t* q = nullptr;
  const float* d = nullptr;
  const std::int16_t* sums = nullptr;
  const std::int32_t* sums32 = nullptr;
  const std::int32_t* minus128_sums32 = nullptr;
  const float* scaled_sums32 = nullptr;
  std::size_t cols = 0;
  std::size_t blocks = 0;

  CAIRN_INLINE Rows(const Quantised& x, std::size_t t0, std::size_t k0)
      : q(x.q_row(t0) + k0),
        d(x.d_row(t0) + k0 / x.block),
        sums(x.sums_row(t0) + k0 / 16),
        sums32(x.sums32_row(t0) + k0 / 32),
        minus128_sums32(x.minus128_sums32 + t0 * (x.cols / 32) + k0 / 32),
        scaled_sums32(x.scaled_sums32 + t0 * (x.cols / 32) + k0 / 32),
        cols(x.cols),
        blocks(x.cols / x.block) {}

  /// One block of `kBlock` values further.
  template <std::size_t kBlock>
  CAIRN_INLINE void advance() {
    q += kBlock;
    ++d;
    sums += kBlock / 16;
    sums32 += kBlock / 32;
    minus128_sums32 += kBlock / 32;
    scaled_sums32 += kBlock / 32;
  }
  /// Where each token's codes stand, `more` values further.
  CAIRN_INLINE void codes(std::size_t more, const std::int8_t* (&out)[kT]) const {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE { out[t] = q + std::size_t{t} * cols + more; });
  }
  CAIRN_INLINE float scale(std::size_t t) const { return d[t * blocks]; }
  CAIRN_INLINE const std::int16_t* sums16(std::size_t t) const { return sums + t * (cols / 16); }
  CAIRN_INLINE int sum32(std::size_t t, std::size_t i = 0) const {
    return sums32[t * (cols / 32) + i];
  }
  CAIRN_INLINE int minus128_sum32(std::size_t t) const { return minus128_sums32[t * (cols / 32)]; }
  CAIRN_INLINE float scaled_sum32(std::size_t t) const { return scaled_sums32[t * (cols / 32)]; }
};

/// A piece of a row group along k: whole blocks at `packed`, which stand at value k0 of their rows.
struct Piece {
  const std::byte* packed = nullptr;
  std::size_t k0 = 0;
  std::size_t values = 0;
  std::size_t ahead = 0;  // bytes before they are read, packed bytes are asked for
};

/// Asks for the cache lines of [at + ahead, at + ahead + kBytes); nothing where ahead is 0.
/// Addresses past the end of a weight are fine: asking never faults.
template <std::size_t kBytes>
inline CAIRN_INLINE void fetch_ahead(const std::byte* at, std::size_t ahead) {
  if (ahead == 0) return;
  const auto* from = reinterpret_cast<const char*>(at) + ahead;
  for (std::size_t i = 0; i < kBytes; i += 64) fetch(from + i);
}

/// For each row group of the task: y = 0, then each(packed group, y).
template <class Each>
inline void each_group(const DotTask& task, Each each) {
  const std::size_t count = (task.tokens.end - task.tokens.begin) * kGroupRows;
  for (std::size_t g = 0; g < task.groups; ++g) {
    float* y = task.y + g * count;
    std::fill_n(y, count, 0.0F);
    each(task.segment->group(task.group + g), y);
  }
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
