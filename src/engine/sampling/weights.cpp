#include "engine/sampling/weights.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/math.h"

namespace cairn::engine {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
// Independent lanes of a fixed number, which compilers turn into vectors of any width.
constexpr std::size_t kLanes = 16;

float higher(float a, float b) { return a > b ? a : b; }

/// The highest of some logits, and a sum that is NaN unless all of them are finite.
struct Look {
  float best = kLowest;
  float zero = 0;
};

Look look_at(std::span<const float> logits) {
  std::array<float, kLanes> best;
  best.fill(kLowest);
  std::array<float, kLanes> zeros = {};  // x * 0 is NaN for an infinite x and for NaN, else 0
  const float* at = logits.data();
  const float* const end = at + logits.size();
  for (; end - at >= static_cast<std::ptrdiff_t>(kLanes); at += kLanes) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      best[i] = higher(at[i], best[i]);
      zeros[i] += at[i] * 0.0F;
    }
  }
  Look look;
  for (; at != end; ++at) {
    look.best = higher(*at, look.best);
    look.zero += *at * 0.0F;
  }
  for (std::size_t i = 0; i < kLanes; ++i) {
    look.best = higher(best[i], look.best);
    look.zero += zeros[i];
  }
  return look;
}

}  // namespace

bool all_finite(std::span<const float> logits) { return look_at(logits).zero == 0.0F; }

float highest(std::span<const float> logits) { return look_at(logits).best; }

bool block_maxima(std::span<const float> logits, std::span<float> maxima) {
  float zero = 0;
  for (std::size_t block = 0; block < maxima.size(); ++block) {
    const std::size_t at = block * kBlock;
    const Look look = look_at(logits.subspan(at, std::min(kBlock, logits.size() - at)));
    maxima[block] = look.best;
    zero += look.zero;
  }
  return zero == 0.0F;
}

TokenId highest_id(std::span<const float> logits) {
  return static_cast<TokenId>(std::ranges::find(logits, highest(logits)) - logits.begin());
}

double weight(float logit, float highest) {
  return static_cast<double>(math::exp(logit - highest));
}

double chunk_weight(std::span<const float> chunk, float highest) {
  double sum = 0;
  for (const float logit : chunk) {
    if (logit != kLowest) sum += weight(logit, highest);
  }
  return sum;
}

double total_weight(std::span<const float> logits, float highest) {
  double sum = 0;
  for (std::size_t at = 0; at < logits.size(); at += kSumChunk) {
    const std::size_t size = std::min(kSumChunk, logits.size() - at);
    sum += chunk_weight(logits.subspan(at, size), highest);
  }
  return sum;
}

}  // namespace cairn::engine
