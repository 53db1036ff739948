// exp(logit - highest) over a vocabulary, and the one order in which such weights are added.
#pragma once

#include <cstddef>
#include <span>

#include "base/token.h"

namespace cairn::engine {

/// Sums over the vocabulary are sums of these chunks, added ascending, so that the result is the
/// same however rows of the head are split between workers (docs/numerics.md).
inline constexpr std::size_t kSumChunk = 1024;

/// The highest logit; -infinity when all are.
float highest(std::span<const float> logits);

/// The id of the highest logit, the lowest id of equal ones. `logits` are not empty.
TokenId highest_id(std::span<const float> logits);

/// exp(logit - highest), 0 for -infinity. `highest` is finite.
double weight(float logit, float highest);

/// Sum of the weights of one chunk, ids ascending.
double chunk_weight(std::span<const float> chunk, float highest);

/// Sum of all weights, chunk by chunk.
double total_weight(std::span<const float> logits, float highest);

}  // namespace cairn::engine
