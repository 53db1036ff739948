// G-02..G-15, G-32, G-36: the older view of rungs, features and comparison.
#include <array>
#include <cmath>

#include "evidence/graph/view.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

std::string rung_path(std::size_t index, std::string_view key = "") {
  const std::string path = item_path("rungs", index);
  return key.empty() ? path : member_path(path, key);
}

std::string feature_path(std::size_t index, std::string_view key) {
  return member_path(item_path("features", index), key);
}

/// A comparison of the graph, its place, and the envelope that it belongs to (null when unknown).
struct PlacedComparison {
  const Throughput* throughput = nullptr;
  std::string path;
  const Envelope* envelope = nullptr;
};

std::vector<PlacedComparison> comparisons_of(const GraphView& view) {
  std::vector<PlacedComparison> all = {{.throughput = &view.graph.comparison,
                                        .path = "comparison",
                                        .envelope = &view.graph.envelope}};
  if (!view.graph.comparisons) return all;
  for (std::size_t i = 0; i < view.graph.comparisons->size(); ++i) {
    const EnvelopeComparison& entry = (*view.graph.comparisons)[i];
    all.push_back({.throughput = &entry.throughput,
                   .path = item_path("comparisons", i),
                   .envelope = view.envelope(entry.envelope_id)});
  }
  return all;
}

bool is_rate(double value) { return std::isfinite(value) && value > 0; }

void report_rate(double value, std::string path, Report& report) {
  if (!is_rate(value)) report.add(std::move(path), shown_number(value), "a number above 0");
}

void report_class(const std::string& found, std::string_view accepted, std::string path,
                  Report& report) {
  if (found != accepted) report.add(std::move(path), quote(found), std::string(accepted));
}

void comparison_class(const GraphView& view, Report& report) {
  for (const PlacedComparison& each : comparisons_of(view)) {
    report_class(each.throughput->classification, "comparison",
                 member_path(each.path, "classification"), report);
  }
}

void report_throughput(const Throughput& throughput, const std::string& path, Report& report) {
  report_rate(throughput.tokens_per_second, member_path(path, "tokens_per_second"), report);
  report_blank(throughput.engine, member_path(path, "engine"), report);
  report_blank(throughput.observed_on, member_path(path, "observed_on"), report);
  report_blank(throughput.provenance, member_path(path, "provenance"), report);
  if (throughput.comparability != "exact" && throughput.comparability != "approximate") {
    report.add(member_path(path, "comparability"), quote(throughput.comparability),
               "exact or approximate");
  }
}

void throughputs(const GraphView& view, Report& report) {
  for (const PlacedComparison& each : comparisons_of(view)) {
    report_throughput(*each.throughput, each.path, report);
  }
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    const Rung& rung = view.graph.rungs[i];
    if (rung.witnessed) report_throughput(*rung.witnessed, rung_path(i, "witnessed"), report);
  }
}

void rung_ids_filled(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    report_blank(view.graph.rungs[i].id, rung_path(i, "id"), report);
  }
}

void rung_ids_unique(const GraphView& view, Report& report) {
  report_repeated_ids(view.graph.rungs, "rungs", "rung", report);
}

void rung_status(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    report_status(view.graph.rungs[i].status, rung_path(i), report);
  }
}

void rung_expected_class(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    report_class(view.graph.rungs[i].expected.classification, "hypothesis",
                 rung_path(i, "expected.classification"), report);
  }
}

void rung_range(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    const ExpectedRange& range = view.graph.rungs[i].expected;
    report_rate(range.floor_tokens_per_second, rung_path(i, "expected.floor_tokens_per_second"),
                report);
    report_rate(range.roof_tokens_per_second, rung_path(i, "expected.roof_tokens_per_second"),
                report);
    report_blank(range.provenance, rung_path(i, "expected.provenance"), report);
    if (range.floor_tokens_per_second > range.roof_tokens_per_second) {
      report.add(rung_path(i, "expected"),
                 "floor " + shown_number(range.floor_tokens_per_second) + " above roof " +
                     shown_number(range.roof_tokens_per_second),
                 "a floor up to the roof");
    }
  }
}

void rung_witness_class(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    const Rung& rung = view.graph.rungs[i];
    if (!rung.witnessed) continue;
    report_class(rung.witnessed->classification, "witnessed",
                 rung_path(i, "witnessed.classification"), report);
  }
}

void rung_dependencies_known(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    const std::vector<std::string>& ids = view.graph.rungs[i].dependency_ids;
    for (std::size_t j = 0; j < ids.size(); ++j) {
      if (view.rungs.contains(ids[j])) continue;
      report.add(item_path(rung_path(i, "dependency_ids"), j), "unknown rung " + quote(ids[j]),
                 "the id of a rung");
    }
  }
}

void rung_cycles(const GraphView& view, Report& report) {
  std::vector<Node> nodes;
  for (const Rung& rung : view.graph.rungs) {
    nodes.push_back({.id = rung.id, .targets = &rung.dependency_ids});
  }
  for (const std::string& cycle : find_cycles(nodes)) {
    report.add("rungs", "the cycle " + cycle, "dependencies without a cycle");
  }
}

void feature_ids(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.features.size(); ++i) {
    report_blank(view.graph.features[i].id, feature_path(i, "id"), report);
  }
  report_repeated_ids(view.graph.features, "features", "feature", report);
}

void feature_rung(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.features.size(); ++i) {
    const std::string& id = view.graph.features[i].rung_id;
    if (view.rungs.contains(id)) continue;
    report.add(feature_path(i, "rung_id"), "unknown rung " + quote(id), "the id of a rung");
  }
}

void feature_state(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.features.size(); ++i) {
    const Feature& feature = view.graph.features[i];
    report_status(feature.status, item_path("features", i), report);
    report_enablement(feature.enabled, feature.status, item_path("features", i), report);
  }
}

void feature_observable(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.features.size(); ++i) {
    report_blank(view.graph.features[i].observable, feature_path(i, "observable"), report);
  }
}

void rung_state(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    report_enablement(view.graph.rungs[i].enabled, view.graph.rungs[i].status, rung_path(i),
                      report);
  }
}

/// A reference engine is never the envelope's own, and a witness never another's.
void engines_kept_apart(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.rungs.size(); ++i) {
    const Rung& rung = view.graph.rungs[i];
    if (!rung.witnessed || rung.witnessed->engine == view.graph.envelope.engine) continue;
    report.add(rung_path(i, "witnessed.engine"), quote(rung.witnessed->engine),
               "the envelope's engine " + quote(view.graph.envelope.engine));
  }
  for (const PlacedComparison& each : comparisons_of(view)) {
    if (each.envelope == nullptr || each.throughput->engine != each.envelope->engine) continue;
    report.add(member_path(each.path, "engine"), quote(each.throughput->engine),
               "an engine other than the envelope's own");
  }
}

void comparison_envelopes(const GraphView& view, Report& report) {
  if (!view.graph.comparisons) return;
  for (std::size_t i = 0; i < view.graph.comparisons->size(); ++i) {
    const std::string& id = (*view.graph.comparisons)[i].envelope_id;
    if (view.envelopes.contains(id)) continue;
    report.add(member_path(item_path("comparisons", i), "envelope_id"),
               "unknown envelope " + quote(id), "the id of an envelope");
  }
}

constexpr std::array kLadderRules = {
    GraphRule{.id = "G-02", .check = &comparison_class},
    GraphRule{.id = "G-03", .check = &throughputs},
    GraphRule{.id = "G-04", .check = &rung_ids_filled},
    GraphRule{.id = "G-05", .check = &rung_ids_unique},
    GraphRule{.id = "G-06", .check = &rung_status},
    GraphRule{.id = "G-07", .check = &rung_expected_class},
    GraphRule{.id = "G-08", .check = &rung_range},
    GraphRule{.id = "G-09", .check = &rung_witness_class},
    GraphRule{.id = "G-10", .check = &rung_dependencies_known},
    GraphRule{.id = "G-11", .check = &rung_cycles},
    GraphRule{.id = "G-12", .check = &feature_ids},
    GraphRule{.id = "G-13", .check = &feature_rung},
    GraphRule{.id = "G-14", .check = &feature_state},
    GraphRule{.id = "G-15", .check = &feature_observable},
    GraphRule{.id = "G-32", .check = &rung_state},
    GraphRule{.id = "G-36", .check = &engines_kept_apart},
    GraphRule{.id = "Z-02", .check = &comparison_envelopes},
};

}  // namespace

std::span<const GraphRule> ladder_rules() { return kLadderRules; }

}  // namespace cairn::evidence
