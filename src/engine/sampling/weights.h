// Passes over a vocabulary of logits, and the one order in which weights are added.
#pragma once

#include <cstddef>
#include <span>

#include "base/token.h"

namespace cairn::engine {

/// Sums over the vocabulary are sums of these chunks, added ascending, so that the result is the
/// same however rows of the head are split between workers (docs/numerics.md).
inline constexpr std::size_t kSumChunk = 1024;

/// Logits of which one maximum is kept, so that the best few are found without reading all again.
inline constexpr std::size_t kBlock = 128;

/// Number of blocks of a vocabulary.
constexpr std::size_t blocks_of(std::size_t vocabulary) {
  return (vocabulary + kBlock - 1) / kBlock;
}

/// Whether every logit is a finite number.
bool all_finite(std::span<const float> logits);

/// The highest logit; -infinity when all are, and for none.
float highest(std::span<const float> logits);

/// The highest of each block, into `maxima` [blocks_of(logits.size())]. Whether all logits are
/// finite numbers: one pass for both.
bool block_maxima(std::span<const float> logits, std::span<float> maxima);

/// The id of the highest logit, the lowest id of equal ones. `logits` are not empty.
TokenId highest_id(std::span<const float> logits);

/// exp(logit - highest), 0 for -infinity. `highest` is finite.
double weight(float logit, float highest);

/// Sum of the weights of one chunk, ids ascending.
double chunk_weight(std::span<const float> chunk, float highest);

/// Sum of all weights, chunk by chunk.
double total_weight(std::span<const float> logits, float highest);

}  // namespace cairn::engine
