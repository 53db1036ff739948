#include "tensor/quant/plain.h"

#include <bit>
#include <cstring>
#include <limits>

#include "tensor/quant/load.h"
#include "tensor/quant/store.h"

namespace cairn::tensor {
namespace {

/// Doubles outside f32's range become infinities, which the language leaves undefined.
float narrow(double value) {
  constexpr double kFirstInfinite = 0x1.ffffffp127;  // halfway from the largest f32 to 2^128
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (value >= kFirstInfinite) return kInfinity;
  if (value <= -kFirstInfinite) return -kInfinity;
  return static_cast<float>(value);
}

}  // namespace

void decode_f32(const std::byte* from, std::size_t values, float* out) {
  if (values != 0) std::memcpy(out, from, values * sizeof(float));
}

void decode_f16(const std::byte* from, std::size_t values, float* out) {
  for (std::size_t i = 0; i < values; ++i) out[i] = load_f16(from + 2 * i);
}

void decode_bf16(const std::byte* from, std::size_t values, float* out) {
  for (std::size_t i = 0; i < values; ++i) out[i] = bf16_to_f32(load_u16(from + 2 * i));
}

void decode_f64(const std::byte* from, std::size_t values, float* out) {
  for (std::size_t i = 0; i < values; ++i) {
    out[i] = narrow(std::bit_cast<double>(load_u64(from + 8 * i)));
  }
}

void decode_i8(const std::byte* from, std::size_t values, float* out) {
  for (std::size_t i = 0; i < values; ++i) out[i] = to_float(load_i8(from + i));
}

void decode_i16(const std::byte* from, std::size_t values, float* out) {
  for (std::size_t i = 0; i < values; ++i) {
    out[i] = to_float(static_cast<std::int16_t>(load_u16(from + 2 * i)));
  }
}

void decode_i32(const std::byte* from, std::size_t values, float* out) {
  for (std::size_t i = 0; i < values; ++i) {
    out[i] = static_cast<float>(static_cast<std::int32_t>(load_u32(from + 4 * i)));
  }
}

void decode_i64(const std::byte* from, std::size_t values, float* out) {
  for (std::size_t i = 0; i < values; ++i) {
    out[i] = static_cast<float>(static_cast<std::int64_t>(load_u64(from + 8 * i)));
  }
}

void encode_f32(const float* from, std::size_t values, std::byte* out) {
  if (values != 0) std::memcpy(out, from, values * sizeof(float));
}

void encode_f16(const float* from, std::size_t values, std::byte* out) {
  for (std::size_t i = 0; i < values; ++i) store_f16(out + 2 * i, from[i]);
}

void encode_bf16(const float* from, std::size_t values, std::byte* out) {
  for (std::size_t i = 0; i < values; ++i) store_u16(out + 2 * i, f32_to_bf16(from[i]));
}

}  // namespace cairn::tensor
