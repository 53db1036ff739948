// What one sequence's sampling works in: taken once, used for every token.
#pragma once

#include <cstdint>
#include <vector>

#include "base/token.h"

namespace cairn::engine {

/// A token that is still in.
struct Candidate {
  float logit = 0;
  TokenId id = 0;
  std::uint64_t weight = 0;  // its probability over the likeliest one's, in units of 2^-40
};

/// Whether `a` comes before `b`: the higher logit, of equal ones the lower id. A strict order, so
/// that "the best k" is one set whatever algorithm finds it.
inline bool comes_before(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

struct Workspace {
  std::vector<float> maxima = {};          // of each block of kBlock logits
  std::vector<float> blocks = {};          // the same, partly sorted
  std::vector<Candidate> candidates = {};  // ids ascending
  std::vector<Candidate> scratch = {};
  std::vector<double> sums = {};  // of chunks of the vocabulary
};

}  // namespace cairn::engine
