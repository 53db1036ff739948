// Norms, projections, activations and angles with sums and functions in f64.
#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "kernels/cpu/reference/reference.h"

namespace cairn::kernels::reference {
namespace {

constexpr std::size_t kDecoded = 256;  // values of one row decoded at a time

/// tanh in f64; near zero (e - 1) / (e + 1) cancels, but only below what f32 shows.
double tanh64(double x) {
  if (std::fabs(x) > 20) return x > 0 ? 1 : -1;
  const double e = math::exp64(2 * x);
  return (e - 1) / (e + 1);
}

/// The values [k0, k0 + count) of all 16 rows of a group.
void decode_group(const PackedSegment& segment, std::size_t group, std::size_t k0,
                  float (&out)[kGroupRows][kDecoded]) {
  const std::byte* packed = segment.group(group);
  const std::size_t end = std::min(segment.cols, k0 + kDecoded);
  if (segment.format == nullptr) {
    for (std::size_t k = k0; k < end; ++k) {
      for (std::size_t r = 0; r < kGroupRows; ++r) {
        out[r][k - k0] = load_float(segment, packed, k, r);
      }
    }
    return;
  }
  const PackedFormat& format = *segment.format;
  Tile tile;
  for (std::size_t k = k0; k < end; k += format.block_values) {
    format.unpack(packed + k / format.block_values * format.block_bytes, tile);
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      decode_tile(tile, format.form, r, format.block_values, out[r] + (k - k0));
    }
  }
}

double dot_run(const float* w, const float* x, std::size_t count) {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    for (std::size_t i = 0; i < 4; ++i) {
      sums[i] += static_cast<double>(w[k + i]) * static_cast<double>(x[k + i]);
    }
  }
  for (; k < count; ++k) sums[0] += static_cast<double>(w[k]) * static_cast<double>(x[k]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

constexpr std::size_t kTokensMax = 64;

void dot_tokens(const PackedSegment& segment, std::size_t group, const ConstMatrix& x,
                TokenRange tokens, float* y) {
  double sums[kTokensMax][kGroupRows] = {};
  float weights[kGroupRows][kDecoded];
  for (std::size_t k0 = 0; k0 < segment.cols; k0 += kDecoded) {
    const std::size_t count = std::min(kDecoded, segment.cols - k0);
    decode_group(segment, group, k0, weights);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
      for (std::size_t r = 0; r < kGroupRows; ++r) {
        sums[t - tokens.begin][r] += dot_run(weights[r], x.data + t * x.stride + k0, count);
      }
    }
  }
  for (std::size_t i = 0; i < (tokens.end - tokens.begin) * kGroupRows; ++i) {
    y[i] = static_cast<float>(sums[i / kGroupRows][i % kGroupRows]);
  }
}

}  // namespace

Needs needs(const PackedSegment& segment) {
  static_cast<void>(segment);
  return {.values = true};
}

void norm(std::span<const float> x, const Norm& norm, float* out) {
  double sum = 0;
  for (const float value : x) sum += static_cast<double>(value) * static_cast<double>(value);
  const double mean = sum / static_cast<double>(x.size());
  const double scale = 1 / std::sqrt(mean + static_cast<double>(norm.eps));
  for (std::size_t c = 0; c < x.size(); ++c) {
    const double scaled = static_cast<double>(x[c]) * scale;
    out[c] = static_cast<float>(scaled * static_cast<double>(norm.weight[c]));
  }
}

void quantise(std::span<const float> x, const Quantised& out, std::size_t t) {
  static_cast<void>(x);
  static_cast<void>(out);
  static_cast<void>(t);
  CAIRN_CHECK(!"the reference class quantises no activations");
}

void dot(const DotTask& task) {
  float* y = task.y;
  for (std::size_t g = 0; g < task.groups; ++g) {
    for (std::size_t t = task.tokens.begin; t < task.tokens.end; t += kTokensMax) {
      const TokenRange part = {t, std::min(t + kTokensMax, task.tokens.end)};
      dot_tokens(*task.segment, task.group + g, task.inputs->values, part, y);
      y += (part.end - part.begin) * kGroupRows;
    }
  }
}

void gate(Activation activation, std::span<const float> gate, const float* up, float* out) {
  constexpr double kSqrtTwoOverPi = 0x1.9884533d43651p-1;
  for (std::size_t i = 0; i < gate.size(); ++i) {
    const double x = static_cast<double>(gate[i]);
    double y = 0;
    if (activation == Activation::kSilu) {
      y = x / (1 + math::exp64(-x));
    } else if (activation == Activation::kReluSquared) {
      y = x < 0 ? 0 : x * x;
    } else {
      y = 0.5 * x * (1 + tanh64(kSqrtTwoOverPi * (x + 0.044715 * x * x * x)));
    }
    out[i] = static_cast<float>(y * static_cast<double>(up[i]));
  }
}

float soft_cap(float x, float cap) {
  const double wide = static_cast<double>(cap);
  return static_cast<float>(wide * tanh64(static_cast<double>(x) / wide));
}

void angles(const Rope& rope, std::uint32_t position, float* cosines, float* sines) {
  const double magnitude = static_cast<double>(rope.magnitude);
  for (std::size_t i = 0; i < rope.dims / 2; ++i) {
    const double angle =
        static_cast<double>(position) * static_cast<double>(rope.inverse_frequency[i]);
    cosines[i] = static_cast<float>(math::cos64(angle) * magnitude);
    sines[i] = static_cast<float>(math::sin64(angle) * magnitude);
  }
}

}  // namespace cairn::kernels::reference
