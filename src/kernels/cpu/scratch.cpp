#include "kernels/cpu/scratch.h"

#include "base/checked.h"

namespace cairn::kernels {
namespace {

constexpr std::size_t kPad = 64;  // parts begin on cache lines

std::size_t padded(std::size_t bytes) { return (bytes + kPad - 1) / kPad * kPad; }

/// Bytes of the parts of one encoding with blocks of at least 32.
std::size_t codes_bytes(std::size_t values) { return padded(values); }
std::size_t scales_bytes(std::size_t values) { return padded(values / 32 * sizeof(float) + kPad); }
std::size_t sums_bytes(std::size_t values) { return padded(values / 16 * 2 + kPad); }
std::size_t sums32_bytes(std::size_t values) { return padded(values / 32 * 4 + kPad); }
std::size_t quantised_bytes(std::size_t values) {
  return codes_bytes(values) + scales_bytes(values) + sums_bytes(values) + 3 * sums32_bytes(values);
}

Quantised quantised_at(std::byte* at, std::size_t block, std::size_t cols, std::size_t values) {
  Quantised quantised = {.block = block, .cols = cols};
  quantised.q = reinterpret_cast<std::int8_t*>(at);
  at += codes_bytes(values);
  quantised.d = reinterpret_cast<float*>(at);
  at += scales_bytes(values);
  quantised.sums = reinterpret_cast<std::int16_t*>(at);
  at += sums_bytes(values);
  quantised.sums32 = reinterpret_cast<std::int32_t*>(at);
  at += sums32_bytes(values);
  quantised.minus128_sums32 = reinterpret_cast<std::int32_t*>(at);
  at += sums32_bytes(values);
  quantised.scaled_sums32 = reinterpret_cast<float*>(at);
  return quantised;
}

}  // namespace

std::size_t InputScratch::bytes(std::size_t rows, std::size_t cols) {
  const std::size_t values = rows * cols;
  return padded(values * sizeof(float)) + 2 * quantised_bytes(values);
}

Result<InputScratch> InputScratch::create(std::size_t rows, std::size_t cols) {
  InputScratch scratch;
  const auto values = checked_mul(rows, cols);
  if (!values || *values > (1ULL << 56)) return too_large("scratch: rows times columns overflow");
  CAIRN_ASSIGN(scratch.memory_, HostMemory::create(bytes(rows, cols)));
  scratch.rows_ = rows;
  scratch.cols_ = cols;
  return scratch;
}

Matrix InputScratch::values(std::size_t rows, std::size_t cols) const {
  return {reinterpret_cast<float*>(memory_.data()), rows, cols, cols};
}

Quantised InputScratch::a32(std::size_t cols) const {
  const std::size_t values = rows_ * cols_;
  return quantised_at(memory_.data() + padded(values * sizeof(float)), 32, cols, values);
}

Quantised InputScratch::a256(std::size_t cols) const {
  const std::size_t values = rows_ * cols_;
  std::byte* at = memory_.data() + padded(values * sizeof(float)) + quantised_bytes(values);
  return quantised_at(at, 256, cols, values);
}

}  // namespace cairn::kernels
