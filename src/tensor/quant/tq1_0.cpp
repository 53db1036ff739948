#include "tensor/quant/tq1_0.h"

#include "tensor/quant/load.h"

namespace cairn::tensor {

namespace {

/// Digits 0 to `digits` - 1 of `count` bytes, digit by digit; returns where the next values go.
float* decode_digits(const std::byte* bytes, std::size_t count, std::size_t digits, float d,
                     float* out) {
  std::uint32_t power = 1;
  for (std::size_t n = 0; n < digits; ++n, power *= 3) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t digit = ((load_u8(bytes + i) * power & 255) * 3) >> 8;
      *out++ = to_float(static_cast<std::int32_t>(digit) - 1) * d;
    }
  }
  return out;
}

}  // namespace

void decode_tq1_0(const std::byte* block, float* out) {
  const float d = load_f16(block + 52);
  out = decode_digits(block, 32, 5, d, out);
  out = decode_digits(block + 32, 16, 5, d, out);
  decode_digits(block + 48, 4, 4, d, out);
}

}  // namespace cairn::tensor
