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

}  // namespace

bool all_finite(std::span<const float> logits) {
  // x * 0 is NaN for an infinite x and for NaN, else 0.
  std::array<float, kLanes> zeros = {};
  std::size_t at = 0;
  for (; at + kLanes <= logits.size(); at += kLanes) {
    for (std::size_t i = 0; i < kLanes; ++i) zeros[i] += logits[at + i] * 0.0F;
  }
  for (; at < logits.size(); ++at) zeros[0] += logits[at] * 0.0F;
  return std::ranges::all_of(zeros, [](float zero) { return zero == 0.0F; });
}

float highest(std::span<const float> logits) {
  std::array<float, kLanes> best;
  best.fill(kLowest);
  std::size_t at = 0;
  for (; at + kLanes <= logits.size(); at += kLanes) {
    for (std::size_t i = 0; i < kLanes; ++i) best[i] = higher(logits[at + i], best[i]);
  }
  for (; at < logits.size(); ++at) best[0] = higher(logits[at], best[0]);
  float result = kLowest;
  for (const float each : best) result = higher(each, result);
  return result;
}

void block_maxima(std::span<const float> logits, std::span<float> maxima) {
  for (std::size_t block = 0; block < maxima.size(); ++block) {
    const std::size_t at = block * kBlock;
    maxima[block] = highest(logits.subspan(at, std::min(kBlock, logits.size() - at)));
  }
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
