#include "evidence/profile/classify.h"

#include <array>

#include "evidence/data/pinned_graph.h"
#include "evidence/profile/thresholds.h"

namespace cairn::evidence {
namespace {

/// The pinned envelopes keep chapter 9's routes; every other takes the graph's (Z-07).
std::string route(const Graph& graph, const Profile& profile, const Bottleneck& found) {
  const Graph pinned = pinned_graph();
  if (find_envelope(pinned, profile.envelope_id) != nullptr) {
    return std::string(found.pinned_lever);
  }
  if (!graph.profile_routes) return "";
  for (const ProfileRoute& each : *graph.profile_routes) {
    if (each.envelope_id == profile.envelope_id && each.bottleneck == found.bottleneck) {
      return each.lever_id;
    }
  }
  return "";
}

struct Selection {
  const Graph& graph;
  const Profile& profile;
  Rules rules;
  ProfileChoice& choice;
};

void classified(const Selection& at, Report& report) {
  Decoded<Classification> result = classify_profile(at.graph, at.profile, at.rules);
  at.choice.classification = std::move(result.value);
  report.add_inner(result.findings);
}

void recommendation_ready(const Selection& at, Report& report) {
  const std::string& id = at.choice.classification.recommended_lever_id;
  const Lever* lever = find_lever(at.graph, id);
  if (lever != nullptr && is_ready(at.graph, *lever)) return;
  report.add("recommended_lever_id", quote(id),
             "a lever that is disabled, unwitnessed and has all its dependencies enabled");
}

void agrees_with_graph(const Selection& at, Report& report) {
  const Lever* first = next_lever(at.graph, at.profile.envelope_id);  // N-03
  const std::string& id = at.choice.classification.recommended_lever_id;
  if (first == nullptr || first->id == id || at.profile.selection_override) return;
  report.add("recommended_lever_id", quote(id),
             "the graph's next lever " + quote(first->id) + ", or a selection_override");
}

constexpr std::array kClassifyRules = {
    Rule<Selection>{.id = "N-01", .check = &classified},
    Rule<Selection>{.id = "N-02", .check = &recommendation_ready},
    Rule<Selection>{.id = "N-04", .check = &agrees_with_graph},
};

}  // namespace

Decoded<Classification> classify_profile(const Graph& graph, const Profile& profile, Rules rules) {
  Decoded<Classification> result;
  result.findings = validate_profile(graph, profile, rules);
  if (!result.ok()) return result;
  const Bottleneck found = find_bottleneck(profile, rules);
  result.value = {.schema = "fak-native-performance-bottleneck/v1",
                  .envelope_id = profile.envelope_id,
                  .bottleneck = std::string(found.bottleneck),
                  .confidence = std::string(found.confidence),
                  .evidence = {found.evidence},
                  .recommended_lever_id = route(graph, profile, found)};
  const std::string& id = result.value.recommended_lever_id;
  const Lever* lever = find_lever(graph, id);
  const bool fits = lever != nullptr && lever->applicability.envelope_id == profile.envelope_id;
  if (!fits && !id.empty() && rules.on("K-20")) {
    Report("K-20", result.findings)
        .add("recommended_lever_id", quote(id), "a lever of the profile's envelope");
  }
  return result;
}

Decoded<ProfileChoice> choose_from_profile(const Graph& graph, const Profile& profile,
                                           Rules rules) {
  Decoded<ProfileChoice> result;
  const Selection at{.graph = graph, .profile = profile, .rules = rules, .choice = result.value};
  result.findings = first_failure(std::span<const Rule<Selection>>(kClassifyRules), at, rules);
  if (!result.ok()) return result;
  // N-05: the whole classification, the whole lever, and the override whenever there is one.
  const Lever* lever = find_lever(graph, result.value.classification.recommended_lever_id);
  if (lever != nullptr) result.value.lever = *lever;
  result.value.selection_override = profile.selection_override;
  return result;
}

}  // namespace cairn::evidence
