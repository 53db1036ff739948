// Checked arithmetic on the signed counters of a host.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace cairn::host {

/// a + b of numbers that are not negative, or nothing when it does not fit.
constexpr std::optional<std::int64_t> add_counters(std::int64_t a, std::int64_t b) {
  if (a < 0 || b < 0 || b > std::numeric_limits<std::int64_t>::max() - a) return std::nullopt;
  return a + b;
}

/// `count` units of `unit` (positive), or nothing when that is negative or does not fit.
constexpr std::optional<std::int64_t> scale_counter(std::int64_t count, std::int64_t unit) {
  if (count < 0 || count > std::numeric_limits<std::int64_t>::max() / unit) return std::nullopt;
  return count * unit;
}

}  // namespace cairn::host
