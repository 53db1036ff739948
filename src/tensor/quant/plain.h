// Types without blocks: floats and integers of each size, turned into the nearest f32.
#pragma once

#include <cstddef>

namespace cairn::tensor {

/// `values` stored numbers at `from` into `out`.
void decode_f32(const std::byte* from, std::size_t values, float* out);
void decode_f16(const std::byte* from, std::size_t values, float* out);
void decode_bf16(const std::byte* from, std::size_t values, float* out);
void decode_f64(const std::byte* from, std::size_t values, float* out);
void decode_i8(const std::byte* from, std::size_t values, float* out);
void decode_i16(const std::byte* from, std::size_t values, float* out);
void decode_i32(const std::byte* from, std::size_t values, float* out);
void decode_i64(const std::byte* from, std::size_t values, float* out);

/// `values` floats, rounded to nearest even where they must be, as stored numbers at `out`.
void encode_f32(const float* from, std::size_t values, std::byte* out);
void encode_f16(const float* from, std::size_t values, std::byte* out);
void encode_bf16(const float* from, std::size_t values, std::byte* out);

}  // namespace cairn::tensor
