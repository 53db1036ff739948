// What kernels/cpu/lanes/ asks of the AVX-512 VNNI tier as scalar code: the names of
// kernels/cpu/avx512vnni/lanes.h over the vectors of avx512_model.h.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cairn::kernels::CAIRN_TIER {
namespace {

using Mask = std::uint16_t;

inline constexpr std::size_t kLanes = 16;
inline constexpr int kSharedQueries = 8;
constexpr int score_vectors(int /*queries*/) { return 2; }
constexpr int value_vectors(int queries) { return queries <= 4 ? 4 : 2; }

inline Floats add(const Floats& a, const Floats& b) {
  return float_lanes([&](std::size_t i) { return a.of[i] + b.of[i]; });
}
inline Floats subtract(const Floats& a, const Floats& b) {
  return float_lanes([&](std::size_t i) { return a.of[i] - b.of[i]; });
}
inline Floats divide(const Floats& a, const Floats& b) {
  return float_lanes([&](std::size_t i) { return a.of[i] / b.of[i]; });
}
inline Floats larger(const Floats& a, const Floats& b) {
  return float_lanes([&](std::size_t i) { return a.of[i] > b.of[i] ? a.of[i] : b.of[i]; });
}
inline Floats smaller(const Floats& a, const Floats& b) {
  return float_lanes([&](std::size_t i) { return a.of[i] < b.of[i] ? a.of[i] : b.of[i]; });
}

inline Floats even(const Ints& pairs) {
  return float_lanes([&](std::size_t i) { return std::bit_cast<float>(pairs.of[i] << 16); });
}
inline Floats odd(const Ints& pairs) {
  return float_lanes(
      [&](std::size_t i) { return std::bit_cast<float>(pairs.of[i] & 0xFFFF0000U); });
}
inline Floats bytes_as_floats(const std::int8_t* at) {
  return float_lanes([&](std::size_t i) { return static_cast<float>(at[i]); });
}

inline Mask within(std::size_t at, std::size_t begin, std::size_t end) {
  unsigned mask = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (at + i >= begin && at + i < end) mask |= 1U << i;
  }
  return static_cast<Mask>(mask);
}
inline Floats chosen(Mask mask, const Floats& a, const Floats& b) {
  return float_lanes([&](std::size_t i) { return (mask >> i & 1) != 0 ? a.of[i] : b.of[i]; });
}
inline Floats load_first(const float* at, std::size_t count) {
  return float_lanes([&](std::size_t i) { return i < count ? at[i] : 0.0F; });
}
inline void store_first(float* at, std::size_t count, const Floats& value) {
  std::copy_n(value.of.begin(), count, at);
}
inline float largest_of(const Floats& sixteen) {
  float largest = sixteen.of[0];
  for (const float lane : sixteen.of) largest = lane > largest ? lane : largest;
  return largest;
}

inline constexpr std::size_t kSumLanes = 16;
class SumLanes {
 public:
  void add(std::size_t /*at*/, const Floats& value) {
    for (std::size_t i = 0; i < kLanes; ++i) of_.of[i] += value.of[i];
  }
  float merged() const {
    Floats sums = of_;
    for (const std::size_t half : {8U, 4U, 2U, 1U}) {
      for (std::size_t i = 0; i < half; ++i) sums.of[i] += sums.of[i + half];
    }
    return sums.of[0];
  }

 private:
  Floats of_;
};

inline Floats half_power_of_two(const Floats& rounded) {
  return float_lanes([&](std::size_t i) {
    const auto bits = std::bit_cast<std::uint32_t>(rounded.of[i]);
    return std::bit_cast<float>((bits << 23) + (126U << 23));
  });
}
inline Floats chosen_below(const Floats& x, const Floats& limit, const Floats& a, const Floats& b) {
  return float_lanes([&](std::size_t i) { return x.of[i] < limit.of[i] ? a.of[i] : b.of[i]; });
}
inline Floats zero_below(const Floats& x, const Floats& limit, const Floats& value) {
  return float_lanes([&](std::size_t i) { return x.of[i] < limit.of[i] ? 0.0F : value.of[i]; });
}
inline Floats magnitude(const Floats& x) {
  return float_lanes([&](std::size_t i) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x.of[i]) & 0x7FFFFFFFU);
  });
}
inline Floats with_sign_of(const Floats& x, const Floats& value) {
  return float_lanes([&](std::size_t i) {
    const std::uint32_t sign = std::bit_cast<std::uint32_t>(x.of[i]) & 0x80000000U;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value.of[i]) | sign);
  });
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
