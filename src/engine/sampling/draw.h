// The draw of one id from what a draft has left.
#pragma once

#include <vector>

#include "base/token.h"
#include "engine/sampling/draft.h"

namespace cairn::engine {

/// An id and its probability among all that were in.
struct Drawn {
  TokenId id = 0;
  double probability = 0;
};

/// The id at which the running sum of probabilities, ids ascending, passes `unit`, a number in
/// [0, 1). A whole row is added chunk by chunk, through `sums` [chunks].
Drawn draw(Draft& draft, double unit, std::vector<double>& sums);

/// The probability of one id among all that are in; 0 for one that is out.
double probability_of(Draft& draft, TokenId id);

}  // namespace cairn::engine
