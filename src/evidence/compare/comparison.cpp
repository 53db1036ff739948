#include "evidence/compare/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/compare/statistics.h"

namespace cairn::evidence {
namespace {

struct Compared {
  const Graph& graph;
  const Receipt& baseline;
  const Receipt& candidate;
  Comparison& comparison;
};

void baseline_valid(const Compared& pair, Report& report) {
  report.add_inner(validate_receipt(pair.graph, pair.baseline), "baseline");
}

void candidate_valid(const Compared& pair, Report& report) {
  report.add_inner(validate_receipt(pair.graph, pair.candidate), "candidate");
}

void roles(const Compared& pair, Report& report) {
  if (pair.baseline.role == "baseline" && pair.candidate.role == "candidate") return;
  report.add("role", quote(pair.baseline.role) + " then " + quote(pair.candidate.role),
             "a baseline, then a candidate");
}

void same_experiment(const Compared& pair, Report& report) {
  if (pair.baseline.envelope_id != pair.candidate.envelope_id) {
    report.add("envelope_id",
               quote(pair.baseline.envelope_id) + " and " + quote(pair.candidate.envelope_id),
               "one envelope");
  } else if (pair.baseline.changed_lever_id != pair.candidate.changed_lever_id) {
    report.add(
        "changed_lever_id",
        quote(pair.baseline.changed_lever_id) + " and " + quote(pair.candidate.changed_lever_id),
        "one lever");
  }
}

void no_drift(const Compared& pair, Report& report) {
  std::string paths = drift(pair.baseline, pair.candidate);
  if (pair.baseline.execution != pair.candidate.execution) {
    paths += (paths.empty() ? "" : ", ") + std::string("execution");
  }
  if (!paths.empty()) report.add("", "a difference in " + paths, "the same in both arms");
}

/// C-07 also computes what it then looks at.
void finite(const Compared& pair, Report& report) {
  Comparison& result = pair.comparison;
  result.schema = "fak-native-performance-comparison/v1";
  result.envelope_id = pair.baseline.envelope_id;
  result.changed_lever_id = pair.baseline.changed_lever_id;
  result.baseline_revision = pair.baseline.revision;
  result.candidate_revision = pair.candidate.revision;
  result.baseline_mean_tokens_per_second = mean_rate(pair.baseline);
  result.candidate_mean_tokens_per_second = mean_rate(pair.candidate);
  result.delta_tokens_per_second =
      result.candidate_mean_tokens_per_second - result.baseline_mean_tokens_per_second;
  result.delta_percent =
      result.delta_tokens_per_second / result.baseline_mean_tokens_per_second * 100;
  for (const double value :
       {result.baseline_mean_tokens_per_second, result.candidate_mean_tokens_per_second,
        result.delta_tokens_per_second, result.delta_percent}) {
    if (std::isfinite(value)) continue;
    report.add("", shown_number(value) + " among the computed values", "finite results");
    return;
  }
}

constexpr std::array kPairRules = {
    Rule<Compared>{.id = "C-01", .check = &baseline_valid},
    Rule<Compared>{.id = "C-02", .check = &candidate_valid},
    Rule<Compared>{.id = "C-03", .check = &roles},
    Rule<Compared>{.id = "C-04", .check = &same_experiment},
    Rule<Compared>{.id = "C-05", .check = &no_drift},
    Rule<Compared>{.id = "C-07", .check = &finite},
};

std::vector<std::string> as_set(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::string drift(const Receipt& one, const Receipt& other) {
  std::string paths;
  const auto note = [&](bool same, std::string_view path) {
    if (!same) paths += (paths.empty() ? "" : ", ") + std::string(path);
  };
  note(one.artifact_sha256 == other.artifact_sha256, "artifact_sha256");
  note(one.machine == other.machine, "machine");
  note(one.controls == other.controls, "controls");
  note(as_set(one.unchanged_controls) == as_set(other.unchanged_controls), "unchanged_controls");
  return paths;
}

Decoded<Comparison> compare_receipts(const Graph& graph, const Receipt& baseline,
                                     const Receipt& candidate, Rules rules) {
  Decoded<Comparison> result;
  const Compared pair{
      .graph = graph, .baseline = baseline, .candidate = candidate, .comparison = result.value};
  result.findings = first_failure(std::span<const Rule<Compared>>(kPairRules), pair, rules);
  return result;
}

}  // namespace cairn::evidence
