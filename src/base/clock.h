// The two clocks in whole nanoseconds.
#pragma once

#include <chrono>
#include <cstdint>

namespace cairn {

inline constexpr double kMsPerSecond = 1e3;

namespace detail {
/// Nanoseconds since an epoch of the clock's own.
template <typename Clock>
std::int64_t clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}
}  // namespace detail

/// Of the clock that never goes back: for spans and deadlines.
inline std::int64_t steady_ns() { return detail::clock_ns<std::chrono::steady_clock>(); }
/// Since 1970-01-01 UTC.
inline std::int64_t utc_ns() { return detail::clock_ns<std::chrono::system_clock>(); }
/// The same in whole seconds.
inline std::int64_t utc_s() { return utc_ns() / 1'000'000'000; }

}  // namespace cairn
