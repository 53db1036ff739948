// G-01, G-16..G-18, G-37 and the v3 routes (Z-07).
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "evidence/graph/platforms.h"
#include "evidence/graph/validate.h"
#include "evidence/graph/view.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

constexpr std::string_view kPinnedEngine = "fak-native";

std::string envelope_path(std::size_t index, std::string_view key) {
  return member_path(item_path("envelopes", index), key);
}

void schema(const GraphView& view, Report& report) {
  const std::string& found = view.graph.schema;
  if (found == kGraphSchemaV2 || found == kGraphSchemaV3) return;
  report.add("schema", quote(found),
             std::string(kGraphSchemaV2) + " or " + std::string(kGraphSchemaV3));
}

void envelope_ids(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.envelopes.size(); ++i) {
    report_blank(view.graph.envelopes[i].id, envelope_path(i, "id"), report);
  }
  report_repeated_ids(view.graph.envelopes, "envelopes", "envelope", report);
}

bool is_pinned_id(const GraphView& view, std::string_view id) {
  return find_envelope(view.pinned, id) != nullptr;
}

/// The literal of v2, and of the pinned envelopes for ever; else the shape of a name (Z-03).
void report_engine(const GraphView& view, std::size_t index, Report& report) {
  const Envelope& envelope = view.graph.envelopes[index];
  const bool literal = !view.v3 || is_pinned_id(view, envelope.id);
  if (literal && envelope.engine != kPinnedEngine) {
    report.add(envelope_path(index, "engine"), quote(envelope.engine), std::string(kPinnedEngine));
  } else if (!literal && !is_engine_name(envelope.engine)) {
    report.add(envelope_path(index, "engine"), quote(envelope.engine),
               "1 to 64 of a-z, 0-9, dot, underscore and dash, a letter or digit first");
  }
}

void report_at_least(std::int64_t value, std::int64_t least, std::string path, Report& report) {
  if (value >= least) return;
  report.add(std::move(path), std::to_string(value), "at least " + std::to_string(least));
}

void envelope_fields(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.envelopes.size(); ++i) {
    const Envelope& envelope = view.graph.envelopes[i];
    report_engine(view, i, report);
    report_blank(envelope.backend, envelope_path(i, "backend"), report);
    report_blank(envelope.hardware, envelope_path(i, "hardware"), report);
    report_blank(envelope.model, envelope_path(i, "model"), report);
    report_blank(envelope.quantization, envelope_path(i, "quantization"), report);
    report_blank(envelope.artifact_sha256, envelope_path(i, "artifact_sha256"), report);
    report_blank(envelope.forward_path, envelope_path(i, "forward_path"), report);
    report_at_least(envelope.memory_gib, 0, envelope_path(i, "memory_gib"), report);
    report_at_least(envelope.prompt_tokens, 1, envelope_path(i, "prompt_tokens"), report);
    report_at_least(envelope.decode_tokens, 1, envelope_path(i, "decode_tokens"), report);
    report_at_least(envelope.repetitions, 1, envelope_path(i, "repetitions"), report);
  }
}

void older_view(const GraphView& view, Report& report) {
  if (view.graph.envelopes.empty()) {
    report.add("envelopes", "no envelope", "at least one envelope");
  } else if (view.graph.envelope != view.graph.envelopes[0]) {
    report.add("envelope", "another envelope than envelopes[0]",
               "the same sixteen fields as envelopes[0]");
  }
}

void pinned_envelopes(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.envelopes.size(); ++i) {
    const Envelope* pinned = find_envelope(view.pinned, view.graph.envelopes[i].id);
    if (pinned == nullptr || *pinned == view.graph.envelopes[i]) continue;
    report.add(item_path("envelopes", i), "a changed field under a pinned id",
               "the pinned envelope in all sixteen fields, or a new id");
  }
}

void profile_routes(const GraphView& view, Report& report) {
  if (!view.graph.profile_routes) return;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; i < view.graph.profile_routes->size(); ++i) {
    const ProfileRoute& route = (*view.graph.profile_routes)[i];
    const std::string path = item_path("profile_routes", i);
    if (!is_bottleneck_class(route.bottleneck)) {
      report.add(member_path(path, "class"), quote(route.bottleneck), "a bottleneck class");
    }
    if (!view.envelopes.contains(route.envelope_id)) {
      report.add(member_path(path, "envelope_id"), "unknown envelope " + quote(route.envelope_id),
                 "the id of an envelope");
    }
    const Lever* lever = view.lever(route.lever_id);
    if (lever == nullptr || lever->applicability.envelope_id != route.envelope_id) {
      report.add(member_path(path, "lever_id"), quote(route.lever_id),
                 "the id of a lever of this envelope");
    }
    if (!seen.emplace(route.envelope_id, route.bottleneck).second) {
      report.add(path, "a second route of this envelope and class", "at most one route");
    }
  }
}

constexpr std::array kEnvelopeRules = {
    GraphRule{.id = "G-01", .check = &schema},
    GraphRule{.id = "G-16", .check = &envelope_ids},
    GraphRule{.id = "G-17", .check = &envelope_fields},
    GraphRule{.id = "G-18", .check = &older_view},
    GraphRule{.id = "G-37", .check = &pinned_envelopes},
    GraphRule{.id = "Z-07", .check = &profile_routes},
};

}  // namespace

std::span<const GraphRule> envelope_rules() { return kEnvelopeRules; }

}  // namespace cairn::evidence
