// The difference of a baseline and a candidate receipt (native-performance.md, chapter 6).
#pragma once

#include <string>

#include "evidence/receipt/receipt.h"

namespace cairn::evidence {

struct Comparison {
  std::string schema;
  std::string envelope_id;
  std::string changed_lever_id;
  std::string baseline_revision;
  std::string candidate_revision;
  double baseline_mean_tokens_per_second = 0;
  double candidate_mean_tokens_per_second = 0;
  double delta_tokens_per_second = 0;
  double delta_percent = 0;
};

/// The keys of Comparison in wire order.
template <class Visitor, Is<Comparison> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("envelope_id", self.envelope_id);
  visit.field("changed_lever_id", self.changed_lever_id);
  visit.field("baseline_revision", self.baseline_revision);
  visit.field("candidate_revision", self.candidate_revision);
  visit.field("baseline_mean_tokens_per_second", self.baseline_mean_tokens_per_second);
  visit.field("candidate_mean_tokens_per_second", self.candidate_mean_tokens_per_second);
  visit.field("delta_tokens_per_second", self.delta_tokens_per_second);
  visit.field("delta_percent", self.delta_percent);
}

/// A comparison, or the first of C-01..C-07 that does not hold. Attestations are neither required
/// nor compared (C-06).
Decoded<Comparison> compare_receipts(const Graph& graph, const Receipt& baseline,
                                     const Receipt& candidate, Rules rules = {});

/// What differs of artifact, machine, controls and the set of unchanged controls: the paths,
/// joined. C-05 and B-14; execution is left to the caller.
std::string drift(const Receipt& one, const Receipt& other);

}  // namespace cairn::evidence
