// tables: what nibbles of IQ4 and FP4 stand for, as unsigned bytes.
#pragma once

#include <array>
#include <cstddef>

#include "tensor/quant/fp4_values.h"
#include "tensor/quant/iq4_values.h"

namespace cairn::kernels::avx512vnni {

/// The values with `offset` added.
template <class Values>
constexpr std::array<std::byte, 16> unsigned_bytes(const Values& values, int offset) {
  std::array<std::byte, 16> bytes = {};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(values[i] + offset);
  }
  return bytes;
}

inline constexpr int kIq4Offset = 128;
inline constexpr int kFp4Offset = 12;
inline constexpr std::array<std::byte, 16> kIq4Table =
    unsigned_bytes(tensor::kIq4Values, kIq4Offset);
inline constexpr std::array<std::byte, 16> kFp4Table =
    unsigned_bytes(tensor::kFp4DoubledValues, kFp4Offset);

}  // namespace cairn::kernels::avx512vnni
