// Attention as docs/numerics.md defines it, one head after the other over plain arrays.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/float16.h"
#include "base/math_fused.h"
#include "tests/conformance/definition.h"

namespace cairn::conformance {
namespace {

/// Dimensions of a head as the cache keeps them: each value is kept * scale.
struct Kept {
  std::vector<float> values = {};
  float scale = 1;
};

Kept kept_int8(std::span<const float> head) {
  float amax = 0;
  bool finite = true;
  for (const float value : head) {
    finite = finite && std::isfinite(value);
    amax = std::max(amax, std::fabs(value));
  }
  Kept out = {std::vector<float>(head.size()), 0};
  if (!finite) out.scale = std::numeric_limits<float>::quiet_NaN();
  if (!finite || amax < 0x1p-121F) return out;
  out.scale = amax / 127;
  for (std::size_t d = 0; d < head.size(); ++d) {
    const float code = std::nearbyint(head[d] * (127 / amax));
    out.values[d] = std::clamp(code, -127.0F, 127.0F);
  }
  return out;
}

/// The head in blocks with a scale each: of 32 dimensions in int8, else all in one without a scale.
std::vector<Kept> kept(const AttentionCase& c, std::span<const float> head) {
  std::vector<Kept> blocks;
  if (c.type == kernels::CacheType::kInt8) {
    for (std::size_t d = 0; d < head.size(); d += 32) {
      blocks.push_back(kept_int8(head.subspan(d, std::min<std::size_t>(32, head.size() - d))));
    }
    return blocks;
  }
  Kept out = {{head.begin(), head.end()}, 1};
  if (c.type != kernels::CacheType::kF32) {
    for (float& value : out.values) value = bf16_to_f32(f32_to_bf16(value));
  }
  return {out};
}

/// The dot product of a query with a cached key: a chain over each block, then one over the blocks.
float dot_of(const AttentionCase& c, std::span<const float> q, const std::vector<Kept>& key) {
  float total = 0;
  std::size_t d = 0;
  for (const Kept& block : key) {
    float dot = 0;
    for (const float value : block.values) dot = std::fma(value, q[d++], dot);
    total = c.type == kernels::CacheType::kInt8 ? std::fma(dot, block.scale, total) : dot;
  }
  return total;
}

struct Softmax {
  float maximum = 0;
  float sum = 0;
  std::vector<float> values = {};
};

float tree(const float* lanes) {
  float sums[16];
  std::copy_n(lanes, 16, sums);
  for (int step : {8, 4, 2, 1}) {
    for (int i = 0; i < step; ++i) sums[i] += sums[i + step];
  }
  return sums[0];
}

struct Head {
  std::span<const float> q = {};
  std::span<const float> keys = {};
  std::span<const float> values = {};
  std::size_t kv_head = 0;
};

Softmax chunk(const AttentionCase& c, const Head& head, std::size_t begin, std::size_t end) {
  Softmax out = {-std::numeric_limits<float>::infinity(), 0, std::vector<float>(c.dim)};
  std::vector<float> scores;
  for (std::size_t slot = begin; slot < end; ++slot) {
    const auto key = head.keys.subspan((slot * c.kv_heads + head.kv_head) * c.dim, c.dim);
    float score = c.scale * dot_of(c, head.q, kept(c, key));
    if (c.cap > 0) score = soft_cap(score, c.cap);
    scores.push_back(score);
    if (score > out.maximum) out.maximum = score;
  }
  float lanes[16] = {};
  for (std::size_t slot = begin; slot < end; ++slot) {
    const float p = math::fused_exp(scores[slot - begin] - out.maximum);
    lanes[slot % 16] += p;
    const std::size_t at = (slot * c.kv_heads + head.kv_head) * c.dim;
    std::size_t d = 0;
    for (const Kept& block : kept(c, head.values.subspan(at, c.dim))) {
      for (const float value : block.values) {
        out.values[d] = std::fma(value, p * block.scale, out.values[d]);
        ++d;
      }
    }
  }
  out.sum = tree(lanes);
  return out;
}

std::vector<float> attend_head(const AttentionCase& c, const Head& head, std::size_t slot) {
  const std::size_t first = c.window == 0 || slot + 1 < c.window ? 0 : slot + 1 - c.window;
  Softmax all;
  for (std::size_t begin = first; begin <= slot; begin = (begin / 256 + 1) * 256) {
    const Softmax part = chunk(c, head, begin, std::min((begin / 256 + 1) * 256, slot + 1));
    if (begin == first) {
      all = part;
      continue;
    }
    const float maximum = part.maximum > all.maximum ? part.maximum : all.maximum;
    const float old_factor = math::exp(all.maximum - maximum);
    const float new_factor = math::exp(part.maximum - maximum);
    all.maximum = maximum;
    all.sum = all.sum * old_factor + part.sum * new_factor;
    for (std::size_t d = 0; d < c.dim; ++d) {
      all.values[d] = all.values[d] * old_factor + part.values[d] * new_factor;
    }
  }
  for (float& value : all.values) value /= all.sum;
  return all.values;
}

}  // namespace

std::vector<float> attend_row(const AttentionCase& c, std::span<const float> q,
                              std::span<const float> keys, std::span<const float> values,
                              std::size_t slot) {
  std::vector<float> out;
  for (std::size_t h = 0; h < c.heads; ++h) {
    const Head head = {q.subspan(h * c.dim, c.dim), keys, values, h * c.kv_heads / c.heads};
    const std::vector<float> one = attend_head(c, head, slot);
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

}  // namespace cairn::conformance
