// The stages between a model's logits and the draw, as a table.
//
// Purpose     each stage changes logits in place; an id that is out has -infinity.
// Invariants  a stage that is not active changes nothing; no stage depends on the order in which a
//             library sorts; nothing is allocated once Draft::scratch has its size.
// Threads     pure functions on one sequence's Draft.
// Adding      a knob in params.h with its range in params.cpp, and a row in stages.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/sampling/history.h"
#include "engine/sampling/params.h"

namespace cairn::engine {

/// A token that is still in.
struct Candidate {
  float logit = 0;
  TokenId id = 0;
  std::uint64_t weight = 0;  // exp(logit - highest) in units of 2^-40: sums of these are exact
};

/// Whether `a` comes before `b`: the higher logit, of equal ones the lower id. A strict order, so
/// that "the best k" is one set whatever algorithm finds it.
inline bool comes_before(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

/// Logits on their way to a draw.
struct Draft {
  const SamplingParams& params;
  const History& history;
  std::span<float> logits;  // [vocabulary]
  std::vector<Candidate>& scratch;
};

/// One row of the table.
struct Stage {
  std::string_view name;
  bool (*active)(const SamplingParams& params) = nullptr;
  void (*apply)(const Draft& draft) = nullptr;
};

/// In the order in which they run.
std::span<const Stage> stages();

/// Fills `out` with the best `count` ids that are in, best first.
void best_candidates(std::span<const float> logits, std::size_t count, std::vector<Candidate>& out);

}  // namespace cairn::engine
