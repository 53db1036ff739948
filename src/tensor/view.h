// Views of f32 matrices. An address belongs to the device that gave it out: only kernels follow it.
#pragma once

#include <cstddef>
#include <span>

namespace cairn {

/// Rows of floats, `stride` floats apart.
struct Matrix {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  std::span<float> row(std::size_t r) const { return {data + r * stride, cols}; }
};

/// The same, read only.
struct ConstMatrix {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  ConstMatrix() = default;
  ConstMatrix(const float* values, std::size_t r, std::size_t c, std::size_t step)
      : data(values), rows(r), cols(c), stride(step) {}
  ConstMatrix(const Matrix& m)  // NOLINT(google-explicit-constructor): reading is always allowed
      : data(m.data), rows(m.rows), cols(m.cols), stride(m.stride) {}

  std::span<const float> row(std::size_t r) const { return {data + r * stride, cols}; }
};

}  // namespace cairn
