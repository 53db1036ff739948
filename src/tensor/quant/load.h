// Reads of little-endian numbers at any alignment, shared by all block formats.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/float16.h"

namespace cairn::tensor {

/// An unsigned byte.
inline std::uint32_t load_u8(const std::byte* at) { return std::to_integer<std::uint32_t>(*at); }

/// A signed byte.
inline std::int32_t load_i8(const std::byte* at) {
  return static_cast<std::int8_t>(std::to_integer<std::uint8_t>(*at));
}

/// Two bytes.
inline std::uint16_t load_u16(const std::byte* at) {
  return static_cast<std::uint16_t>(load_u8(at) | load_u8(at + 1) << 8);
}

/// Four bytes.
inline std::uint32_t load_u32(const std::byte* at) {
  return load_u16(at) | static_cast<std::uint32_t>(load_u16(at + 2)) << 16;
}

/// Eight bytes.
inline std::uint64_t load_u64(const std::byte* at) {
  return load_u32(at) | static_cast<std::uint64_t>(load_u32(at + 4)) << 32;
}

/// An f16 as f32, exactly.
inline float load_f16(const std::byte* at) { return f16_to_f32(load_u16(at)); }

/// Exact for the small integers that blocks hold.
inline float to_float(std::uint32_t value) { return static_cast<float>(value); }
inline float to_float(std::int32_t value) { return static_cast<float>(value); }

}  // namespace cairn::tensor
