#include "evidence/profile/profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "evidence/graph/validate.h"
#include "evidence/profile/lever_index.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

constexpr std::array<std::string_view, 6> kPhases = {"load-setup",    "prefill",      "first-token",
                                                     "steady-decode", "verification", "teardown"};

struct ProfileView {
  const Graph& graph;
  const Profile& profile;
  const Envelope* envelope = nullptr;
  const LeverIndex& levers;
};

using ProfileRule = Rule<ProfileView>;

void graph_valid(const ProfileView& view, Report& report) {
  report.add_inner(validate_graph(view.graph), "graph");
}

void schema(const ProfileView& view, Report& report) {
  const std::string& found = view.profile.schema;
  if (found == kProfileSchemaV1 || found == kProfileSchemaV2) return;
  report.add("schema", quote(found),
             std::string(kProfileSchemaV1) + " or " + std::string(kProfileSchemaV2));
}

void envelope_known(const ProfileView& view, Report& report) {
  if (view.envelope != nullptr) return;
  report.add("envelope_id", "unknown envelope " + quote(view.profile.envelope_id),
             "the id of an envelope of the graph");
}

void identity(const ProfileView& view, Report& report) {
  const Execution& ran = view.profile.execution;
  if (view.envelope != nullptr && ran.engine != view.envelope->engine) {
    report.add("execution.engine", quote(ran.engine),
               "the envelope's engine " + quote(view.envelope->engine));
  }
  if (is_blank(ran.forward_path)) {
    report.add("execution.forward_path", quote(ran.forward_path), "a text that is not blank");
  }
  if (ran.fallback_count != 0) {
    report.add("execution.fallback_count", std::to_string(ran.fallback_count), "0");
  }
}

void forward_path(const ProfileView& view, Report& report) {
  const std::string& found = view.profile.execution.forward_path;
  if (view.envelope == nullptr || found == view.envelope->forward_path) return;
  report.add("execution.forward_path", quote(found),
             "the envelope's path " + quote(view.envelope->forward_path));
}

bool six_phases(const Profile& profile) { return profile.phases.size() == kPhases.size(); }

void phase_count(const ProfileView& view, Report& report) {
  if (six_phases(view.profile)) return;
  report.add("phases", std::to_string(view.profile.phases.size()) + " phases", "exactly six");
}

/// P-09 and P-13 say nothing where the count is wrong already.
void phase_names(const ProfileView& view, Report& report) {
  for (std::size_t i = 0; six_phases(view.profile) && i < kPhases.size(); ++i) {
    if (view.profile.phases[i].name == kPhases[i]) continue;
    report.add(member_path(item_path("phases", i), "name"), quote(view.profile.phases[i].name),
               std::string(kPhases[i]));
  }
}

void phase_starts(const ProfileView& view, Report& report) {
  for (std::size_t i = 0; i < view.profile.phases.size(); ++i) {
    const double start = view.profile.phases[i].start_milliseconds;
    if (std::isfinite(start) && start >= 0) continue;
    report.add(member_path(item_path("phases", i), "start_milliseconds"), shown_number(start),
               "a number from 0");
  }
}

void phase_durations(const ProfileView& view, Report& report) {
  for (std::size_t i = 0; i < view.profile.phases.size(); ++i) {
    const double duration = view.profile.phases[i].duration_milliseconds;
    if (std::isfinite(duration) && duration > 0) continue;
    report.add(member_path(item_path("phases", i), "duration_milliseconds"), shown_number(duration),
               "a number above 0");
  }
}

double end_of(const Phase& phase) { return phase.start_milliseconds + phase.duration_milliseconds; }

void phase_ends(const ProfileView& view, Report& report) {
  for (std::size_t i = 0; i < view.profile.phases.size(); ++i) {
    if (std::isfinite(end_of(view.profile.phases[i]))) continue;
    report.add(item_path("phases", i), "an end that is not finite", "a finite end");
  }
}

void phase_overlaps(const ProfileView& view, Report& report) {
  const std::vector<Phase>& phases = view.profile.phases;
  for (std::size_t i = 1; six_phases(view.profile) && i < phases.size(); ++i) {
    if (phases[i].start_milliseconds >= end_of(phases[i - 1])) continue;
    report.add(member_path(item_path("phases", i), "start_milliseconds"),
               shown_number(phases[i].start_milliseconds),
               "at least the previous end " + shown_number(end_of(phases[i - 1])));
  }
}

struct Block {
  std::string_view backend;
  bool present = false;
};

std::array<Block, 4> blocks(const Profile& profile) {
  return {{{"metal", profile.metal.has_value()},
           {"cuda", profile.cuda.has_value()},
           {"cpu", profile.cpu.has_value()},
           {"vulkan", profile.vulkan.has_value()}}};
}

void own_block_only(const ProfileView& view, Report& report) {
  if (view.envelope == nullptr) return;
  for (const Block& block : blocks(view.profile)) {
    const bool own = block.backend == view.envelope->backend;
    if (own == block.present) continue;
    report.add(std::string(block.backend), own ? "no such block" : "a block of another backend",
               "only the block of " + quote(view.envelope->backend));
  }
}

void counters(const ProfileView& view, Report& report) { check_counters(view.profile, report); }

void one_attribution_state(const ProfileView& view, Report& report) {
  const bool given = !view.profile.attributions.empty();
  if (given != view.profile.attribution_unavailable.has_value()) return;
  report.add("attributions", given ? "both forms" : "neither form",
             "attributions, or attribution_unavailable");
}

void unavailable_reason(const ProfileView& view, Report& report) {
  if (!view.profile.attribution_unavailable) return;
  const AttributionUnavailable& why = *view.profile.attribution_unavailable;
  if (why.reason != "backend-does-not-expose-dispatch-attribution" &&
      why.reason != "capture-tool-does-not-export-dispatch-attribution") {
    report.add("attribution_unavailable.reason", quote(why.reason), "a reason of the closed set");
  }
  if (is_blank(why.detail) || is_private_text(why.detail)) {
    report.add("attribution_unavailable.detail", quote(why.detail),
               "a text that is not blank and names no private path, host or user");
  }
}

void attribution_fields(const ProfileView& view, Report& report) {
  for (std::size_t i = 0; i < view.profile.attributions.size(); ++i) {
    const LayerAttribution& one = view.profile.attributions[i];
    const std::string path = item_path("attributions", i);
    if (is_blank(one.name) || is_private(one.name)) {
      report.add(member_path(path, "name"), quote(one.name), "a name, not blank and not private");
    }
    if (one.layer < 0) {
      report.add(member_path(path, "layer"), std::to_string(one.layer), "a number from 0");
    }
    if (one.count <= 0) {
      report.add(member_path(path, "count"), std::to_string(one.count), "a number above 0");
    }
  }
}

void attribution_levers(const ProfileView& view, Report& report) {
  for (std::size_t i = 0; i < view.profile.attributions.size(); ++i) {
    const std::string& id = view.profile.attributions[i].lever_id;
    if (view.levers.find(id) != nullptr) continue;
    report.add(member_path(item_path("attributions", i), "lever_id"), "unknown lever " + quote(id),
               "the id of a lever of the graph");
  }
}

void attribution_envelope(const ProfileView& view, Report& report) {
  for (std::size_t i = 0; i < view.profile.attributions.size(); ++i) {
    const Lever* lever = view.levers.find(view.profile.attributions[i].lever_id);
    if (lever == nullptr || lever->applicability.envelope_id == view.profile.envelope_id) continue;
    report.add(member_path(item_path("attributions", i), "lever_id"),
               quote(lever->id) + " of another envelope", "a lever of the profile's envelope");
  }
}

void one_lever(const ProfileView& view, Report& report) {
  const std::vector<LayerAttribution>& all = view.profile.attributions;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].lever_id == all[0].lever_id) continue;
    report.add(member_path(item_path("attributions", i), "lever_id"), quote(all[i].lever_id),
               "the one lever " + quote(all[0].lever_id));
  }
}

void attributions_once(const ProfileView& view, Report& report) {
  std::set<std::tuple<std::string_view, std::int64_t, std::string_view>> seen;
  for (std::size_t i = 0; i < view.profile.attributions.size(); ++i) {
    const LayerAttribution& one = view.profile.attributions[i];
    if (seen.emplace(one.name, one.layer, one.lever_id).second) continue;
    report.add(item_path("attributions", i), "name, layer and lever again", "each once");
  }
}

void no_counter_comparison(const ProfileView& view, Report& report) {
  if (view.profile.counter_comparisons.empty()) return;
  report.add("counter_comparisons",
             std::to_string(view.profile.counter_comparisons.size()) + " comparisons",
             "none: unlike counters are not compared");
}

void override_fields(const ProfileView& view, Report& report) {
  if (!view.profile.selection_override) return;
  const SelectionOverride& one = *view.profile.selection_override;
  if (one.issue_number <= 0) {
    report.add("selection_override.issue_number", std::to_string(one.issue_number),
               "a number above 0");
  }
  if (is_blank(one.reason) || is_private_text(one.reason)) {
    report.add("selection_override.reason", quote(one.reason),
               "a text that is not blank and names no private path, host or user");
  }
}

void backend_known(const ProfileView& view, Report& report) {
  if (view.envelope == nullptr) return;
  for (const Block& block : blocks(view.profile)) {
    if (block.backend == view.envelope->backend) return;
  }
  report.add("envelope_id", "the backend " + quote(view.envelope->backend),
             "a backend with a counter block");
}

constexpr std::array kProfileRules = {
    ProfileRule{.id = "P-03", .check = &graph_valid},
    ProfileRule{.id = "P-04", .check = &schema},
    ProfileRule{.id = "P-05", .check = &envelope_known},
    ProfileRule{.id = "P-06", .check = &identity},
    ProfileRule{.id = "P-07", .check = &forward_path},
    ProfileRule{.id = "P-08", .check = &phase_count},
    ProfileRule{.id = "P-09", .check = &phase_names},
    ProfileRule{.id = "P-10", .check = &phase_starts},
    ProfileRule{.id = "P-11", .check = &phase_durations},
    ProfileRule{.id = "P-12", .check = &phase_ends},
    ProfileRule{.id = "P-13", .check = &phase_overlaps},
    ProfileRule{.id = "P-14", .check = &own_block_only},
    ProfileRule{.id = "P-15", .check = &counters},
    ProfileRule{.id = "P-16", .check = &one_attribution_state},
    ProfileRule{.id = "P-17", .check = &unavailable_reason},
    ProfileRule{.id = "P-18", .check = &attribution_fields},
    ProfileRule{.id = "P-19", .check = &attribution_levers},
    ProfileRule{.id = "P-20", .check = &attribution_envelope},
    ProfileRule{.id = "P-21", .check = &one_lever},
    ProfileRule{.id = "P-22", .check = &attributions_once},
    ProfileRule{.id = "P-23", .check = &no_counter_comparison},
    ProfileRule{.id = "P-24", .check = &override_fields},
    ProfileRule{.id = "P-25", .check = &backend_known},
};

}  // namespace

Decoded<Profile> decode_profile(std::string_view text, Rules rules) {
  return decode_by_schema<Profile>(text, rules, "P-01");
}

Findings validate_profile(const Graph& graph, const Profile& profile, Rules rules) {
  return validate_profile(graph, LeverIndex(graph), profile, rules);
}

Findings validate_profile(const Graph& graph, const LeverIndex& levers, const Profile& profile,
                          Rules rules) {
  const ProfileView view{.graph = graph,
                         .profile = profile,
                         .envelope = find_envelope(graph, profile.envelope_id),
                         .levers = levers};
  return collect(std::span<const ProfileRule>(kProfileRules), view, rules);
}

double steady_decode_milliseconds(const Profile& profile) {
  const auto phase = std::ranges::find(profile.phases, "steady-decode", &Phase::name);
  return phase == profile.phases.end() ? 0 : phase->duration_milliseconds;
}

}  // namespace cairn::evidence
