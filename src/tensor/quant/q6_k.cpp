#include "tensor/quant/q6_k.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tensor/quant/load.h"
#include "tensor/quant/store.h"

namespace cairn::tensor {
namespace {

constexpr std::size_t kSixGroups = 16;
constexpr std::size_t kSixValues = 16;
constexpr float kScaleMin = 1e-15f;  // smaller ones are 0

std::int32_t six_bits_of(float value) { return std::clamp(nearest_integer(value), -32, 31); }

/// Sums over a group for one way to round it: of x^2 (x q) and of x^2 (q q).
struct Fit {
  float products = 0;
  float squares = 0;
};

Fit fit(const float* values, float inverse) {
  Fit sums;
  for (std::size_t i = 0; i < kSixValues; ++i) {
    const float x = values[i];
    const float q = to_float(six_bits_of(inverse * x));
    const float weight = x * x;
    sums.products += weight * x * q;
    sums.squares += weight * q * q;
  }
  return sums;
}

struct SixFit {
  float scale = 0;
  float inverse = 0;  // what the numbers of that scale were rounded by
};

/// The scale of a group whose squared error, weighted by the squares of the values, is least among
/// 19 near the one that maps the largest value to -32. Source: ggml-quants.c, make_qx_quants.
SixFit six_bit_scale_of(const float* values) {
  float largest = 0;
  for (std::size_t i = 0; i < kSixValues; ++i) {
    if (std::fabs(values[i]) > std::fabs(largest)) largest = values[i];
  }
  if (!(std::fabs(largest) >= kScaleMin)) return {};
  SixFit result{.inverse = -32.0f / largest};
  const Fit first = fit(values, result.inverse);
  result.scale = first.squares != 0 ? first.products / first.squares : 0.0f;
  float best = result.scale * first.products;
  for (std::int32_t step = -9; step <= 9; ++step) {
    if (step == 0) continue;
    const float inverse = -(32.0f + 0.1f * to_float(step)) / largest;
    const Fit sums = fit(values, inverse);
    if (!(sums.squares > 0 && sums.products * sums.products > best * sums.squares)) continue;
    result = {.scale = sums.products / sums.squares, .inverse = inverse};
    best = result.scale * sums.products;
  }
  return result;
}

/// Low nibbles and high bit pairs as the header says.
void store_numbers(const std::array<std::uint32_t, 256>& q, std::byte* block) {
  for (std::size_t half = 0; half < 2; ++half) {
    for (std::size_t i = 0; i < 32; ++i) {
      const std::uint32_t* at = q.data() + 128 * half + i;
      std::byte* low = block + 64 * half + i;
      low[0] = static_cast<std::byte>((at[0] & 15) | (at[64] & 15) << 4);
      low[32] = static_cast<std::byte>((at[32] & 15) | (at[96] & 15) << 4);
      block[128 + 32 * half + i] = static_cast<std::byte>(at[0] >> 4 | at[32] >> 4 << 2 |
                                                          at[64] >> 4 << 4 | at[96] >> 4 << 6);
    }
  }
}

}  // namespace

void decode_q6_k(const std::byte* block, float* out) {
  const float d = load_f16(block + 208);
  for (std::size_t g = 0; g < 16; ++g) {
    const std::size_t quarter = g / 2 % 4;
    const float scale = d * to_float(load_i8(block + 192 + g));
    const std::byte* low = block + 64 * (g / 8) + 32 * (quarter % 2) + 16 * (g % 2);
    const std::byte* high = block + 128 + 32 * (g / 8) + 16 * (g % 2);
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint32_t q = (load_u8(low + i) >> (4 * (quarter / 2)) & 15) |
                              (load_u8(high + i) >> (2 * quarter) & 3) << 4;
      out[16 * g + i] = scale * to_float(static_cast<std::int32_t>(q) - 32);
    }
  }
}

void encode_q6_k(const float* values, std::byte* block) {
  std::array<SixFit, kSixGroups> fits = {};
  float largest = 0;
  for (std::size_t g = 0; g < kSixGroups; ++g) {
    fits[g] = six_bit_scale_of(values + kSixValues * g);
    if (std::fabs(fits[g].scale) > std::fabs(largest)) largest = fits[g].scale;
  }
  std::fill(block, block + 210, std::byte{0});
  if (!(std::fabs(largest) >= kScaleMin)) return;
  const float inverse = -128.0f / largest;
  store_f16(block + 208, 1 / inverse);
  std::array<std::uint32_t, 256> q = {};
  for (std::size_t g = 0; g < kSixGroups; ++g) {
    const auto scale =
        static_cast<std::int8_t>(std::min(127, nearest_integer(inverse * fits[g].scale)));
    block[192 + g] = static_cast<std::byte>(scale);
    const float d = load_f16(block + 208) * to_float(std::int32_t{scale});
    for (std::size_t i = 0; i < kSixValues; ++i) {
      const float x = values[kSixValues * g + i];
      // Where the scale came out as 0 the numbers mean nothing, and are those of the fit.
      const float by = d != 0 ? x / d : (fits[g].inverse != 0 ? x * fits[g].inverse : -32.0f);
      q[kSixValues * g + i] = static_cast<std::uint32_t>(six_bits_of(by) + 32);
    }
  }
  store_numbers(q, block);
}

}  // namespace cairn::tensor
