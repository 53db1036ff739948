// The tiny random checkpoints of tests/oracle/families and what transformers answers on them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/token.h"

namespace cairn::tests {

/// The positions that have logits, and how many of them greedy decoding begins with.
constexpr std::size_t kCheckpointPositions = 48;
constexpr std::size_t kCheckpointPrompt = 8;

/// Largest difference of a logit in the reference class, relative to the root mean square of all.
constexpr double kReferenceTolerance = 2e-4;

/// Names of the checkpoints, sorted.
std::vector<std::string> checkpoints();

/// The GGUF file of a checkpoint.
std::string checkpoint_file(const std::string& name);

struct Answers {
  std::vector<float> logits = {};  // [kCheckpointPositions, vocabulary]
  std::vector<TokenId> greedy = {};
};
/// What transformers answers. Dies where the file is missing or broken.
Answers answers_of(const std::string& name);

/// The first `count` ids that checkpoints are asked with.
std::vector<TokenId> checkpoint_ids(std::size_t count, std::size_t vocabulary);

double root_mean_square(std::span<const float> values);

/// a - b. Shapes: as long as each other.
std::vector<float> difference(std::span<const float> a, std::span<const float> b);

/// Largest magnitude.
double largest(std::span<const float> values);

}  // namespace cairn::tests
