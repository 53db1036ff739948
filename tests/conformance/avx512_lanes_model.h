// What kernels/cpu/lanes/ asks of the AVX-512 VNNI tier as scalar code: the names of
// kernels/cpu/avx512vnni/lanes.h over the vectors of avx512_model.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace cairn::kernels::CAIRN_TIER {
namespace {

struct Doubles {
  std::array<double, 8> of = {};
};
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

template <class Each>
inline Doubles double_lanes(Each each) {
  Doubles out;
  for (std::size_t i = 0; i < out.of.size(); ++i) out.of[i] = each(i);
  return out;
}
inline Doubles every_double(double value) {
  return double_lanes([value](std::size_t) { return value; });
}
inline Doubles add(const Doubles& a, const Doubles& b) {
  return double_lanes([&](std::size_t i) { return a.of[i] + b.of[i]; });
}
inline Doubles subtract(const Doubles& a, const Doubles& b) {
  return double_lanes([&](std::size_t i) { return a.of[i] - b.of[i]; });
}
inline Doubles multiply(const Doubles& a, const Doubles& b) {
  return double_lanes([&](std::size_t i) { return a.of[i] * b.of[i]; });
}
inline Doubles divide(const Doubles& a, const Doubles& b) {
  return double_lanes([&](std::size_t i) { return a.of[i] / b.of[i]; });
}
inline Doubles larger(const Doubles& a, const Doubles& b) {
  return double_lanes([&](std::size_t i) { return a.of[i] > b.of[i] ? a.of[i] : b.of[i]; });
}
inline Doubles smaller(const Doubles& a, const Doubles& b) {
  return double_lanes([&](std::size_t i) { return a.of[i] < b.of[i] ? a.of[i] : b.of[i]; });
}
inline Doubles chosen_below(const Doubles& x, const Doubles& limit, const Doubles& a,
                            const Doubles& b) {
  return double_lanes([&](std::size_t i) { return x.of[i] < limit.of[i] ? a.of[i] : b.of[i]; });
}
inline Doubles power_of_two(const Doubles& rounded) {
  return double_lanes([&](std::size_t i) {
    const auto bits = std::bit_cast<std::uint64_t>(rounded.of[i]);
    return std::bit_cast<double>((bits << 52) + (std::uint64_t{1023} << 52));
  });
}
inline Doubles low_doubles(const Floats& x) {
  return double_lanes([&](std::size_t i) { return static_cast<double>(x.of[i]); });
}
inline Doubles high_doubles(const Floats& x) {
  return double_lanes([&](std::size_t i) { return static_cast<double>(x.of[i + 8]); });
}
inline Floats joined(const Doubles& low, const Doubles& high) {
  return float_lanes(
      [&](std::size_t i) { return static_cast<float>(i < 8 ? low.of[i] : high.of[i - 8]); });
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
