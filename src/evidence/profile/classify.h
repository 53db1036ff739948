// What limits a decode, from one profile (native-performance.md, chapter 9).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/profile/profile.h"

namespace cairn::evidence {

struct Classification {
  std::string schema;
  std::string envelope_id;
  std::string bottleneck;  // the key is "class"
  std::string confidence;
  std::vector<std::string> evidence;
  std::string recommended_lever_id;
};

/// The keys of Classification in wire order.
template <class Visitor, Is<Classification> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("envelope_id", self.envelope_id);
  visit.field("class", self.bottleneck);
  visit.field("confidence", self.confidence);
  visit.field("evidence", self.evidence);
  visit.field("recommended_lever_id", self.recommended_lever_id);
}

/// The lever to measure next, chosen from a profile (9.1).
struct ProfileChoice {
  Classification classification;
  Lever lever;
  std::optional<SelectionOverride> selection_override;
};

/// The keys of ProfileChoice in wire order.
template <class Visitor, Is<ProfileChoice> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("classification", self.classification);
  visit.field("lever", self.lever);
  visit.optional("selection_override", self.selection_override);
}

/// Validates and classifies: the P findings, or K-20's.
Decoded<Classification> classify_profile(const Graph& graph, const Profile& profile,
                                         Rules rules = {});

/// N-01..N-05: the first refusal, or the choice.
Decoded<ProfileChoice> choose_from_profile(const Graph& graph, const Profile& profile,
                                           Rules rules = {});

}  // namespace cairn::evidence
