// number_at: numbers of files that are written and read as they stand in memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>

namespace cairn {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

/// The T at `offset`, at any alignment; it lies inside `bytes`.
template <typename T>
T number_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Writes a T at `offset`, where it has room.
template <typename T>
void put_at(std::span<std::byte> bytes, std::size_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace cairn
