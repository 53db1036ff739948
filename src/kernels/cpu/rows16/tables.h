// tables: what nibbles of IQ4 and FP4 stand for, as the bytes that the tier's dots multiply.
#pragma once

#include <array>
#include <cstddef>

#include "tensor/quant/fp4_values.h"
#include "tensor/quant/iq4_values.h"

namespace cairn::kernels::CAIRN_TIER {

/// The values with `offset` added.
template <class Values>
constexpr std::array<std::byte, 16> offset_bytes(const Values& values, int offset) {
  std::array<std::byte, 16> bytes = {};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(values[i] + offset);
  }
  return bytes;
}

inline constexpr int kIq4Offset = kByteOffset;
inline constexpr int kFp4Offset = 12;
inline constexpr std::array<std::byte, 16> kIq4Table = offset_bytes(tensor::kIq4Values, kIq4Offset);
inline constexpr std::array<std::byte, 16> kFp4Table =
    offset_bytes(tensor::kFp4DoubledValues, kFp4Offset);

}  // namespace cairn::kernels::CAIRN_TIER
