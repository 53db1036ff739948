#include "engine/sampling/weights.h"

#include <algorithm>
#include <limits>

#include "base/math.h"

namespace cairn::engine {

float highest(std::span<const float> logits) {
  float result = -std::numeric_limits<float>::infinity();
  for (const float logit : logits) result = logit > result ? logit : result;
  return result;
}

TokenId highest_id(std::span<const float> logits) {
  return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin());
}

double weight(float logit, float highest) {
  return static_cast<double>(math::exp(logit - highest));
}

double chunk_weight(std::span<const float> chunk, float highest) {
  constexpr float kExcluded = -std::numeric_limits<float>::infinity();
  double sum = 0;
  for (const float logit : chunk) {
    if (logit != kExcluded) sum += weight(logit, highest);
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
