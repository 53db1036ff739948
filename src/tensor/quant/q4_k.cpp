#include "tensor/quant/q4_k.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tensor/quant/k_scales.h"
#include "tensor/quant/load.h"
#include "tensor/quant/store.h"

namespace cairn::tensor {
namespace {

constexpr std::size_t kGroups = 8;
constexpr std::size_t kGroupValues = 32;
constexpr std::int32_t kNumberMax = 15;

using GroupFloats = std::array<float, kGroupValues>;

/// x is about scale q - minimum.
struct Affine {
  float scale = 0;
  float minimum = 0;
  GroupFloats q = {};
};

std::int32_t number_of(float value) { return std::clamp(nearest_integer(value), 0, kNumberMax); }

/// One group on its way to the best scale and offset. Source: ggml-quants.c, make_qkx2_quants.
class GroupFit {
 public:
  GroupFit(const float* values, const GroupFloats& weights) : values_(values), weights_(weights) {
    low_ = high_ = values[0];
    sum_w_ = weights[0];
    sum_x_ = sum_w_ * values[0];
    for (std::size_t i = 1; i < kGroupValues; ++i) {
      low_ = std::min(low_, values[i]);
      high_ = std::max(high_, values[i]);
      sum_w_ += weights[i];
      sum_x_ += weights[i] * values[i];
    }
    if (low_ > 0) low_ = 0;
  }

  Affine best() {
    Affine found;
    found.minimum = -low_;
    if (high_ == low_) return found;
    const float inverse = to_float(kNumberMax) / (high_ - low_);
    scale_ = 1 / inverse;
    round(inverse, low_);
    offset_ = low_;
    best_ = q_;
    error_ = error_of(scale_, offset_);
    for (std::int32_t step = 0; step <= 20; ++step) try_step(step);
    return {.scale = scale_, .minimum = -offset_, .q = best_};
  }

 private:
  void round(float inverse, float low) {
    for (std::size_t i = 0; i < kGroupValues; ++i) {
      q_[i] = to_float(number_of(inverse * (values_[i] - low)));
    }
  }

  float error_of(float scale, float offset) const {
    float error = 0;
    for (std::size_t i = 0; i < kGroupValues; ++i) {
      const float difference = scale * q_[i] + offset - values_[i];
      error += weights_[i] * (difference * difference);
    }
    return error;
  }

  /// Rounds by a scale nearby and takes the least squares of that, where they are better. The
  /// offset of the step before counts, as in the source.
  void try_step(std::int32_t step) {
    round((-1.0f + 0.1f * to_float(step) + to_float(kNumberMax)) / (high_ - offset_), offset_);
    float sum_l = 0;
    float sum_l2 = 0;
    float sum_xl = 0;
    for (std::size_t i = 0; i < kGroupValues; ++i) {
      const float w = weights_[i];
      sum_l += w * q_[i];
      sum_l2 += w * q_[i] * q_[i];
      sum_xl += w * q_[i] * values_[i];
    }
    const float determinant = sum_w_ * sum_l2 - sum_l * sum_l;
    if (!(determinant > 0)) return;
    float scale = (sum_w_ * sum_xl - sum_x_ * sum_l) / determinant;
    float offset = (sum_l2 * sum_x_ - sum_l * sum_xl) / determinant;
    if (offset > 0) {
      offset = 0;
      scale = sum_xl / sum_l2;
    }
    const float error = error_of(scale, offset);
    if (!(error < error_)) return;
    error_ = error;
    best_ = q_;
    scale_ = scale;
    offset_ = offset;
  }

  const float* values_;
  const GroupFloats& weights_;
  GroupFloats q_ = {};
  GroupFloats best_ = {};
  float low_ = 0;
  float high_ = 0;
  float sum_w_ = 0;
  float sum_x_ = 0;
  float scale_ = 0;
  float offset_ = 0;
  float error_ = 0;
};

/// Large values count for more.
Affine fit_group(const float* values) {
  float squares = 0;
  for (std::size_t i = 0; i < kGroupValues; ++i) squares += values[i] * values[i];
  const float middle = std::sqrt(squares / 32);
  GroupFloats weights = {};
  for (std::size_t i = 0; i < kGroupValues; ++i) weights[i] = middle + std::fabs(values[i]);
  return GroupFit(values, weights).best();
}

/// As k_scale reads them.
void store_k_scale(std::byte* scales, std::size_t g, std::uint32_t scale, std::uint32_t minimum) {
  if (g < 4) {
    scales[g] = static_cast<std::byte>(scale);
    scales[g + 4] = static_cast<std::byte>(minimum);
    return;
  }
  scales[g + 4] = static_cast<std::byte>((scale & 15) | (minimum & 15) << 4);
  scales[g - 4] |= static_cast<std::byte>(scale >> 4 << 6);
  scales[g] |= static_cast<std::byte>(minimum >> 4 << 6);
}

/// `value` in 63rds of the largest; beyond a byte it wraps, as in the source.
std::uint32_t sixty_thirds(float value, float inverse) {
  return std::min(63U, static_cast<std::uint32_t>(nearest_integer(inverse * value)) & 255U);
}

}  // namespace

void decode_q4_k(const std::byte* block, float* out) {
  const float d = load_f16(block);
  const float dmin = load_f16(block + 2);
  for (std::size_t g = 0; g < 8; ++g) {
    const KScale packed = k_scale(block + 4, g);
    const float scale = d * to_float(packed.scale);
    const float minimum = dmin * to_float(packed.minimum);
    const std::byte* bytes = block + 16 + 32 * (g / 2);
    const std::size_t shift = 4 * (g % 2);
    for (std::size_t i = 0; i < 32; ++i) {
      out[32 * g + i] = scale * to_float(load_u8(bytes + i) >> shift & 15) - minimum;
    }
  }
}

void encode_q4_k(const float* values, std::byte* block) {
  std::array<Affine, kGroups> groups = {};
  Affine most;
  for (std::size_t g = 0; g < kGroups; ++g) {
    groups[g] = fit_group(values + kGroupValues * g);
    most.scale = std::max(most.scale, groups[g].scale);
    most.minimum = std::max(most.minimum, groups[g].minimum);
  }
  std::fill(block, block + 144, std::byte{0});
  store_f16(block, most.scale / 63.0f);
  store_f16(block + 2, most.minimum / 63.0f);
  const float inverse_scale = most.scale > 0 ? 63.0f / most.scale : 0.0f;
  const float inverse_minimum = most.minimum > 0 ? 63.0f / most.minimum : 0.0f;
  for (std::size_t g = 0; g < kGroups; ++g) {
    store_k_scale(block + 4, g, sixty_thirds(groups[g].scale, inverse_scale),
                  sixty_thirds(groups[g].minimum, inverse_minimum));
  }
  for (std::size_t g = 0; g < kGroups; ++g) {
    const KScale packed = k_scale(block + 4, g);
    const float d = load_f16(block) * to_float(packed.scale);
    const float m = load_f16(block + 2) * to_float(packed.minimum);
    for (std::size_t i = 0; i < kGroupValues; ++i) {
      const float x = values[kGroupValues * g + i];
      // Where the scale came out as 0 the numbers mean nothing, and are those of the fit.
      const auto q =
          static_cast<std::uint32_t>(d != 0 ? to_float(number_of((x + m) / d)) : groups[g].q[i]);
      block[16 + 32 * (g / 2) + i] |= static_cast<std::byte>(q << (4 * (g % 2)));
    }
  }
}

}  // namespace cairn::tensor
