#include "evidence/arm/arm_record.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/wire/predicates.h"
#include "evidence/wire/strings.h"

namespace cairn::evidence {
namespace {

/// The levers 4 to 7 of 11.5, which are knobs of serving.
constexpr std::array<std::string_view, 4> kServingLevers = {
    "metal.paged-kv", "metal.prefix-reuse", "metal.chunked-prefill", "metal.continuous-batching"};
/// Lever 10 of 11.5, and what it must keep.
constexpr std::string_view kNumericLever = "cuda.q8_1-activation-quant";
constexpr std::array<std::string_view, 3> kNumericGates = {"cosine", "argmax", "maxAbs"};

struct ArmView {
  const Graph& graph;
  const Receipt& receipt;
  const ArmRecord& record;
  const Lever* lever = nullptr;
};

/// The levers of the record's envelope, in graph order.
std::vector<const Lever*> levers_of(const Graph& graph, std::string_view envelope_id) {
  std::vector<const Lever*> levers;
  for (const Lever& lever : graph.levers) {
    if (lever.applicability.envelope_id == envelope_id) levers.push_back(&lever);
  }
  return levers;
}

bool is_on(const ArmRecord& record, std::string_view lever_id) {
  const auto state = std::ranges::find(record.lever_states, lever_id, &LeverState::lever_id);
  return state != record.lever_states.end() && state->enabled;
}

void identity(const ArmView& view, Report& report) {
  const auto same = [&](std::string_view path, const std::string& found,
                        const std::string& accepted) {
    if (found != accepted) report.add(std::string(path), quote(found), quote(accepted));
  };
  same("schema", view.record.schema, std::string(kArmRecordSchema));
  same("envelope_id", view.record.envelope_id, view.receipt.envelope_id);
  same("changed_lever_id", view.record.changed_lever_id, view.receipt.changed_lever_id);
  same("role", view.record.role, view.receipt.role);
  same("revision", view.record.revision, view.receipt.revision);
}

void states_complete(const ArmView& view, Report& report) {
  const std::vector<const Lever*> levers = levers_of(view.graph, view.record.envelope_id);
  if (levers.size() != view.record.lever_states.size()) {
    report.add("lever_states", std::to_string(view.record.lever_states.size()) + " levers",
               "the envelope's " + std::to_string(levers.size()));
    return;
  }
  for (std::size_t i = 0; i < levers.size(); ++i) {
    if (view.record.lever_states[i].lever_id == levers[i]->id) continue;
    report.add(member_path(item_path("lever_states", i), "lever_id"),
               quote(view.record.lever_states[i].lever_id),
               quote(levers[i]->id) + ", the envelope's levers in graph order");
  }
}

void expect_state(const ArmView& view, std::string_view lever_id, bool on, Report& report) {
  if (is_on(view.record, lever_id) == on) return;
  report.add("lever_states", quote(lever_id) + (on ? " off" : " on"),
             std::string(on ? "on" : "off") + " in the " + view.record.role);
}

void lever_states(const ArmView& view, Report& report) {
  if (view.lever == nullptr) return;
  const bool candidate = view.record.role == "candidate";
  expect_state(view, view.lever->id, candidate, report);
  for (const std::string& id : view.lever->dependency_ids) expect_state(view, id, true, report);
  if (!candidate) return;
  for (const std::string& id : view.lever->conflict_ids) expect_state(view, id, false, report);
}

void quantiles(const TwoQuantiles& found, const std::string& path, Report& report) {
  if (std::isfinite(found.p50) && std::isfinite(found.p95) && found.p50 >= 0 &&
      found.p95 >= found.p50) {
    return;
  }
  report.add(path, shown_number(found.p50) + " and " + shown_number(found.p95),
             "finite, 0 <= p50 <= p95");
}

void serving(const ArmView& view, Report& report) {
  const bool needed = one_of(view.record.changed_lever_id, kServingLevers);
  if (!view.record.serving) {
    if (needed) report.add("serving", "no such key", "the serving figures of this lever");
    return;
  }
  const ServingFigures& found = *view.record.serving;
  quantiles(found.ttft_milliseconds, "serving.ttft_milliseconds", report);
  quantiles(found.inter_token_milliseconds, "serving.inter_token_milliseconds", report);
  if (!is_sha256_hex(found.arrival_trace_sha256)) {
    report.add("serving.arrival_trace_sha256", quote(found.arrival_trace_sha256),
               "64 lower-case hex digits, not all 0");
  }
  if (!(std::isfinite(found.aggregate_tokens_per_second) &&
        found.aggregate_tokens_per_second > 0)) {
    report.add("serving.aggregate_tokens_per_second",
               shown_number(found.aggregate_tokens_per_second), "a number above 0");
  }
  if (found.peak_bytes == 0) report.add("serving.peak_bytes", "0", "a number above 0");
  if (!(found.prefix_hit_rate >= 0 && found.prefix_hit_rate <= 1)) {
    report.add("serving.prefix_hit_rate", shown_number(found.prefix_hit_rate), "0 to 1");
  }
  if (found.fallback_count != 0) {
    report.add("serving.fallback_count", std::to_string(found.fallback_count), "0");
  }
}

/// maxAbs has a ceiling, the other two a floor.
bool holds(const NumericGate& gate) {
  return gate.name == "maxAbs" ? gate.value <= gate.limit : gate.value >= gate.limit;
}

void numeric_gates(const ArmView& view, Report& report) {
  if (view.record.changed_lever_id != kNumericLever) return;
  const std::vector<NumericGate> gates =
      view.record.numeric_gates.value_or(std::vector<NumericGate>());
  for (const std::string_view name : kNumericGates) {
    const auto gate = std::ranges::find(gates, name, &NumericGate::name);
    if (gate == gates.end()) {
      report.add("numeric_gates", "no gate " + quote(name), "cosine, argmax and maxAbs");
    } else if (gate->passes != holds(*gate)) {
      report.add("numeric_gates", quote(name) + (gate->passes ? " passing" : " failing"),
                 "what value and limit say");
    }
  }
}

void outputs(const ArmView& view, Report& report) {
  if (is_sha256_hex(view.record.outputs_sha256)) return;
  report.add("outputs_sha256", quote(view.record.outputs_sha256),
             "64 lower-case hex digits, not all 0");
}

void scrubbed(const ArmView& view, Report& report) {
  for_each_string(view.record, "", [&](const std::string& path, const std::string& text) {
    if (is_private_path(text)) report.add(path, quote(text), "no private path, host or user");
    if (is_placeholder(text)) report.add(path, quote(text), "a filled text, no placeholder");
  });
}

void check_all(const ArmView& view, Report& report) {
  identity(view, report);
  states_complete(view, report);
  lever_states(view, report);
  serving(view, report);
  numeric_gates(view, report);
  outputs(view, report);
  scrubbed(view, report);
}

constexpr std::array kArmRecordRules = {Rule<ArmView>{.id = "M-03", .check = &check_all}};

}  // namespace

bool is_arm_record(std::string_view text) {
  return schema_of(parse_document(text)) == kArmRecordSchema;
}

Decoded<ArmRecord> decode_arm_record(std::string_view text, Rules rules) {
  return decode<ArmRecord>(text, rules);
}

Findings check_arm_record(const Graph& graph, const Receipt& receipt, const ArmRecord& record,
                          Rules rules) {
  const ArmView view = {.graph = graph,
                        .receipt = receipt,
                        .record = record,
                        .lever = find_lever(graph, record.changed_lever_id)};
  return collect(std::span<const Rule<ArmView>>(kArmRecordRules), view, rules);
}

Findings check_arm_pair(const Graph& graph, const ArmRecord& baseline, const ArmRecord& candidate,
                        Rules rules) {
  Findings findings;
  if (!rules.on("M-03")) return findings;
  Report report("M-03", findings);
  const Lever* changed = find_lever(graph, candidate.changed_lever_id);
  for (const LeverState& state : candidate.lever_states) {
    const bool conflict =
        changed != nullptr &&
        std::ranges::find(changed->conflict_ids, state.lever_id) != changed->conflict_ids.end();
    if (state.lever_id == candidate.changed_lever_id || conflict) continue;
    if (is_on(baseline, state.lever_id) == state.enabled) continue;
    report.add("lever_states", quote(state.lever_id) + " differs between the arms",
               "only the changed lever and its conflicts differ");
  }
  return sorted(std::move(findings));
}

Findings check_arm_artifact(const Graph& graph, const Receipt& receipt, const ArtifactFile& file,
                            Rules rules) {
  Findings findings;
  if (!rules.on("M-03") || !is_arm_record(file.bytes)) return findings;
  Report report("M-03", findings);
  const std::string path = item_path("profiler_artifacts", file.index);
  const Decoded<ArmRecord> decoded = decode_arm_record(file.bytes, rules);
  report.add_inner(decoded.findings, path);
  if (!decoded.ok()) return findings;
  for (Finding& finding : check_arm_record(graph, receipt, decoded.value, rules)) {
    finding.path = member_path(path, finding.path);
    findings.push_back(std::move(finding));
  }
  return sorted(std::move(findings));
}

}  // namespace cairn::evidence
