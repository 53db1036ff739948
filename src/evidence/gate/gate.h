// The gate: a candidate receipt against the last accepted one, under a policy
// (native-performance.md, chapter 10).
//
// Purpose     pass, investigate or regression, with the checks that say why.
// Invariants  a structural fault (B-01..B-16) is an error and no verdict; what a candidate does
//             wrong is a verdict. All repetitions count; nothing is corrected.
// Threads     values; no shared state.
// Adding      a check: a row in checks.cpp; a structural rule: a row in structure.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/receipt/receipt.h"

namespace cairn::evidence {

constexpr std::string_view kGateRequestSchemaV1 = "fak-native-performance-gate-request/v1";
constexpr std::string_view kGateRequestSchemaV2 = "fak-native-performance-gate-request/v2";
constexpr std::string_view kGatePolicySchemaV1 = "fak-native-performance-gate-policy/v1";
constexpr std::string_view kGatePolicySchemaV2 = "fak-native-performance-gate-policy/v2";

/// What a candidate must hold (10.2).
struct GatePolicy {
  std::string schema;
  std::string envelope_id;
  std::string changed_lever_id;
  std::string accepted_revision;
  std::int64_t minimum_repetitions = 0;
  std::int64_t minimum_clean_repetitions = 0;  // legacy, has no effect
  double maximum_noise_percent = 0;
  double investigate_drop_percent = 0;
  double regression_drop_percent = 0;
  double minimum_throughput_tokens_per_second = 0;
  std::uint64_t maximum_peak_bytes = 0;
  std::string quality_metric;
  double minimum_quality_score = 0;
  bool quality_higher_is_better = false;
  std::string required_engine;
  std::string required_forward_path;
  bool require_ambient_evidence = false;
  bool require_system_baseline = false;
  bool allow_sampled_system_baseline = false;
};

/// The keys of GatePolicy in wire order.
template <class Visitor, Is<GatePolicy> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("envelope_id", self.envelope_id);
  visit.field("changed_lever_id", self.changed_lever_id);
  visit.field("accepted_revision", self.accepted_revision);
  visit.field("minimum_repetitions", self.minimum_repetitions);
  visit.omit_zero("minimum_clean_repetitions", self.minimum_clean_repetitions);
  visit.field("maximum_noise_percent", self.maximum_noise_percent);
  visit.field("investigate_drop_percent", self.investigate_drop_percent);
  visit.field("regression_drop_percent", self.regression_drop_percent);
  visit.field("minimum_throughput_tokens_per_second", self.minimum_throughput_tokens_per_second);
  visit.field("maximum_peak_bytes", self.maximum_peak_bytes);
  visit.field("quality_metric", self.quality_metric);
  visit.field("minimum_quality_score", self.minimum_quality_score);
  visit.field("quality_higher_is_better", self.quality_higher_is_better);
  visit.field("required_engine", self.required_engine);
  visit.field("required_forward_path", self.required_forward_path);
  visit.omit_zero("require_ambient_evidence", self.require_ambient_evidence);
  visit.omit_zero("require_system_baseline", self.require_system_baseline);
  visit.omit_zero("allow_sampled_system_baseline", self.allow_sampled_system_baseline);
}

/// The question (10.1).
struct GateRequest {
  std::string schema;
  GatePolicy policy;
  Receipt last_accepted;
  Receipt candidate;
};

/// The keys of GateRequest in wire order.
template <class Visitor, Is<GateRequest> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("policy", self.policy);
  visit.field("last_accepted", self.last_accepted);
  visit.field("candidate", self.candidate);
}

/// One comparison that was made (10.5).
struct GateCheck {
  std::string name;
  std::string status;  // pass, fail; of system_baseline: pass, investigate
  std::string detail;
};

/// The keys of GateCheck in wire order.
template <class Visitor, Is<GateCheck> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("status", self.status);
  visit.field("detail", self.detail);
}

/// A module that changed between the two receipts (10.8).
struct SuspectModule {
  std::string module;
  std::string accepted_revision;
  std::string candidate_revision;
};

/// The keys of SuspectModule in wire order.
template <class Visitor, Is<SuspectModule> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("module", self.module);
  visit.field("accepted_revision", self.accepted_revision);
  visit.field("candidate_revision", self.candidate_revision);
}

/// The bounded follow-up of a verdict that is no pass (10.9).
struct BisectPacket {
  std::string schema;
  std::string envelope_id;
  std::string good_revision;
  std::string bad_revision;
  std::vector<SuspectModule> suspect_modules;
  std::vector<std::string> guarded_commands;
  std::string stop_condition;
};

/// The keys of BisectPacket in wire order.
template <class Visitor, Is<BisectPacket> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("envelope_id", self.envelope_id);
  visit.field("good_revision", self.good_revision);
  visit.field("bad_revision", self.bad_revision);
  visit.list("suspect_modules", self.suspect_modules);
  visit.field("guarded_commands", self.guarded_commands);
  visit.field("stop_condition", self.stop_condition);
}

/// The answer (10.8).
struct GateVerdict {
  std::string schema;
  std::string envelope_id;
  std::string classification;
  std::string accepted_revision;
  std::string candidate_revision;
  double accepted_mean_tokens_per_second = 0;
  double candidate_mean_tokens_per_second = 0;
  double throughput_delta_percent = 0;
  double accepted_noise_percent = 0;
  double candidate_noise_percent = 0;
  std::vector<GateCheck> checks;
  std::vector<SuspectModule> suspect_modules;
  std::optional<BisectPacket> bisect;
};

/// The keys of GateVerdict in wire order.
template <class Visitor, Is<GateVerdict> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("envelope_id", self.envelope_id);
  visit.field("classification", self.classification);
  visit.field("accepted_revision", self.accepted_revision);
  visit.field("candidate_revision", self.candidate_revision);
  visit.field("accepted_mean_tokens_per_second", self.accepted_mean_tokens_per_second);
  visit.field("candidate_mean_tokens_per_second", self.candidate_mean_tokens_per_second);
  visit.field("throughput_delta_percent", self.throughput_delta_percent);
  visit.field("accepted_noise_percent", self.accepted_noise_percent);
  visit.field("candidate_noise_percent", self.candidate_noise_percent);
  visit.field("checks", self.checks);
  visit.optional_list("suspect_modules", self.suspect_modules);
  visit.optional("bisect", self.bisect);
}

/// Whether the opt-in rule B-30 decides (--strict) or only warns.
enum class Strictness : std::uint8_t { kDefault, kStrict };

/// A verdict, or the structural fault that forbids one; warnings are B-30's without --strict.
struct GateResult {
  GateVerdict verdict;
  Findings findings;
  Findings warnings;

  bool ok() const { return findings.empty(); }
};

/// Reads a request; not judged yet.
Decoded<GateRequest> decode_gate_request(std::string_view text, Rules rules = {});

/// Judges the request against a valid graph.
GateResult judge(const Graph& graph, const GateRequest& request,
                 Strictness strictness = Strictness::kDefault, Rules rules = {});

/// The first of B-01..B-15 and of B-16's errors that does not hold.
Findings check_structure(const Graph& graph, const GateRequest& request, Rules rules);

/// B-20..B-30: why the attestations of both sides do not qualify, "" when they do. The policy
/// requires them.
std::string attestation_fault(const GateRequest& request, Strictness strictness, Rules rules);

/// What the opt-in rule B-30 finds of either side.
Findings lax_policies(const GateRequest& request, Rules rules);

}  // namespace cairn::evidence
