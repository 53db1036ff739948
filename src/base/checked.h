// Arithmetic on sizes that came from a file or a person: it answers "no" where it would overflow.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace cairn {

/// a + b, or nothing when it does not fit in 64 bits.
constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  if (b > std::numeric_limits<std::uint64_t>::max() - a) return std::nullopt;
  return a + b;
}

/// a * b, or nothing when it does not fit in 64 bits.
constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
  return a * b;
}

/// The smallest multiple of `alignment` that is at least `value`; nothing when that does not fit in
/// 64 bits or the alignment is 0. Any other alignment will do, not only powers of two.
constexpr std::optional<std::uint64_t> checked_align_up(std::uint64_t value,
                                                        std::uint64_t alignment) {
  if (alignment == 0) return std::nullopt;
  const std::uint64_t over = value % alignment;
  return over == 0 ? value : checked_add(value, alignment - over);
}

}  // namespace cairn
