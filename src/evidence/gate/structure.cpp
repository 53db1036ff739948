// B-01..B-16: what makes a request a question at all.
#include <array>
#include <cmath>

#include "evidence/compare/comparison.h"
#include "evidence/gate/gate.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

struct Question {
  const Graph& graph;
  const GateRequest& request;
};

void request_schema(const Question& asked, Report& report) {
  const std::string& found = asked.request.schema;
  if (found == kGateRequestSchemaV1 || found == kGateRequestSchemaV2) return;
  report.add("schema", quote(found),
             std::string(kGateRequestSchemaV1) + " or " + std::string(kGateRequestSchemaV2));
}

void policy_lever(const Question& asked, Report& report) {
  const GatePolicy& policy = asked.request.policy;
  const Lever* lever = find_lever(asked.graph, policy.changed_lever_id);
  if (lever != nullptr && lever->applicability.envelope_id == policy.envelope_id) return;
  report.add("policy.changed_lever_id", quote(policy.changed_lever_id),
             "a lever of the envelope " + quote(policy.envelope_id));
}

void report_number(double value, bool good, std::string_view key, std::string_view accepted,
                   Report& report) {
  if (good && std::isfinite(value)) return;
  report.add(member_path("policy", key), shown_number(value), std::string(accepted));
}

void report_filled(const std::string& text, std::string_view key, Report& report) {
  if (!is_blank(text)) return;
  report.add(member_path("policy", key), quote(text), "a text that is not empty");
}

void policy_numbers(const GatePolicy& policy, Report& report) {
  report_number(policy.maximum_noise_percent, policy.maximum_noise_percent >= 0,
                "maximum_noise_percent", "a number from 0", report);
  report_number(policy.investigate_drop_percent, policy.investigate_drop_percent >= 0,
                "investigate_drop_percent", "a number from 0", report);
  report_number(policy.regression_drop_percent,
                policy.regression_drop_percent > policy.investigate_drop_percent,
                "regression_drop_percent", "a number above investigate_drop_percent", report);
  report_number(policy.minimum_throughput_tokens_per_second,
                policy.minimum_throughput_tokens_per_second > 0,
                "minimum_throughput_tokens_per_second", "a number above 0", report);
  report_number(policy.minimum_quality_score, true, "minimum_quality_score", "a finite number",
                report);
  if (policy.minimum_repetitions < 2) {
    report.add("policy.minimum_repetitions", std::to_string(policy.minimum_repetitions),
               "at least 2");
  }
  if (policy.minimum_clean_repetitions < 0) {
    report.add("policy.minimum_clean_repetitions", std::to_string(policy.minimum_clean_repetitions),
               "at least 0");
  }
  if (policy.maximum_peak_bytes == 0) {
    report.add("policy.maximum_peak_bytes", "0", "a number above 0");
  }
}

void policy_fields(const Question& asked, Report& report) {
  const GatePolicy& policy = asked.request.policy;
  if (policy.schema != kGatePolicySchemaV1 && policy.schema != kGatePolicySchemaV2) {
    report.add("policy.schema", quote(policy.schema),
               std::string(kGatePolicySchemaV1) + " or " + std::string(kGatePolicySchemaV2));
  }
  report_filled(policy.envelope_id, "envelope_id", report);
  report_filled(policy.accepted_revision, "accepted_revision", report);
  report_filled(policy.quality_metric, "quality_metric", report);
  policy_numbers(policy, report);
  const Envelope* envelope = find_envelope(asked.graph, policy.envelope_id);
  if (envelope == nullptr) return;
  if (policy.required_engine != envelope->engine) {
    report.add("policy.required_engine", quote(policy.required_engine),
               "the envelope's engine " + quote(envelope->engine));
  }
  if (policy.required_forward_path != envelope->forward_path) {
    report.add("policy.required_forward_path", quote(policy.required_forward_path),
               "the envelope's path " + quote(envelope->forward_path));
  }
}

void v1_policy_flags(const Question& asked, Report& report) {
  const GatePolicy& policy = asked.request.policy;
  if (policy.schema != kGatePolicySchemaV1) return;
  if (!policy.require_system_baseline && !policy.allow_sampled_system_baseline) return;
  report.add("policy", "a system-baseline flag set in a v1 policy", "such flags from v2 on");
}

void sampled_needs_required(const Question& asked, Report& report) {
  const GatePolicy& policy = asked.request.policy;
  if (!policy.allow_sampled_system_baseline || policy.require_system_baseline) return;
  report.add("policy.allow_sampled_system_baseline", "true without require_system_baseline",
             "true only beside require_system_baseline");
}

void one_requirement(const Question& asked, Report& report) {
  const GatePolicy& policy = asked.request.policy;
  if (!policy.require_ambient_evidence || !policy.require_system_baseline) return;
  report.add("policy", "require_ambient_evidence and require_system_baseline", "one of the two");
}

void v1_request_policy(const Question& asked, Report& report) {
  if (asked.request.schema != kGateRequestSchemaV1 ||
      asked.request.policy.schema == kGatePolicySchemaV1)
    return;
  report.add("policy.schema", quote(asked.request.policy.schema),
             std::string(kGatePolicySchemaV1) + " in a v1 request");
}

/// Sets attestations and digests aside where the policy judges them, so that what is wrong with
/// them becomes a verdict.
Receipt without_attestations(const GateRequest& request, Receipt receipt) {
  if (!request.policy.require_system_baseline) return receipt;
  receipt.system_baselines.clear();
  for (Repetition& one : receipt.repetitions) one.system_baseline_digest.clear();
  return receipt;
}

void accepted_valid(const Question& asked, Report& report) {
  report.add_inner(validate_receipt(asked.graph, without_attestations(asked.request,
                                                                      asked.request.last_accepted)),
                   "last_accepted");
}

/// Engine, path and fallbacks are judged as checks: here they are those of the receipt's envelope.
void candidate_valid(const Question& asked, Report& report) {
  Receipt receipt = without_attestations(asked.request, asked.request.candidate);
  const Envelope* own = find_envelope(asked.graph, receipt.envelope_id);
  if (own != nullptr) {
    receipt.execution = {
        .engine = own->engine, .forward_path = own->forward_path, .fallback_count = 0};
  }
  report.add_inner(validate_receipt(asked.graph, receipt), "candidate");
}

void accepted_revision(const Question& asked, Report& report) {
  const std::string& found = asked.request.last_accepted.revision;
  if (found == asked.request.policy.accepted_revision) return;
  report.add("last_accepted.revision", quote(found),
             "the policy's " + quote(asked.request.policy.accepted_revision));
}

void roles(const Question& asked, Report& report) {
  if (asked.request.last_accepted.role != "baseline") {
    report.add("last_accepted.role", quote(asked.request.last_accepted.role), "baseline");
  } else if (asked.request.candidate.role != "candidate") {
    report.add("candidate.role", quote(asked.request.candidate.role), "candidate");
  }
}

void one_envelope(const Question& asked, Report& report) {
  const std::string& id = asked.request.policy.envelope_id;
  for (const auto& [path, receipt] : {std::pair<std::string, const Receipt&>{
                                          "last_accepted.envelope_id", asked.request.last_accepted},
                                      {"candidate.envelope_id", asked.request.candidate}}) {
    if (receipt.envelope_id == id) continue;
    report.add(path, quote(receipt.envelope_id), "the policy's " + quote(id));
  }
}

void one_lever(const Question& asked, Report& report) {
  const std::string& id = asked.request.policy.changed_lever_id;
  for (const auto& [path, receipt] :
       {std::pair<std::string, const Receipt&>{"last_accepted.changed_lever_id",
                                               asked.request.last_accepted},
        {"candidate.changed_lever_id", asked.request.candidate}}) {
    if (receipt.changed_lever_id == id) continue;
    report.add(path, quote(receipt.changed_lever_id), "the policy's " + quote(id));
  }
}

void no_drift(const Question& asked, Report& report) {
  const std::string paths = drift(asked.request.last_accepted, asked.request.candidate);
  if (!paths.empty()) report.add("", "a difference in " + paths, "the same in both receipts");
}

void enough_repetitions(const Question& asked, Report& report) {
  const std::int64_t least = asked.request.policy.minimum_repetitions;
  for (const auto& [path, receipt] : {std::pair<std::string, const Receipt&>{
                                          "last_accepted.repetitions", asked.request.last_accepted},
                                      {"candidate.repetitions", asked.request.candidate}}) {
    if (static_cast<std::int64_t>(receipt.repetitions.size()) >= least) continue;
    report.add(path, std::to_string(receipt.repetitions.size()) + " repetitions",
               "at least the policy's " + std::to_string(least));
  }
}

/// R-26 has judged the records that are there; here one for each repetition must be.
void ambient_complete(const Question& asked, Report& report) {
  if (!asked.request.policy.require_ambient_evidence) return;
  for (const auto& [path, receipt] :
       {std::pair<std::string, const Receipt&>{"last_accepted.ambient_evidence",
                                               asked.request.last_accepted},
        {"candidate.ambient_evidence", asked.request.candidate}}) {
    if (receipt.ambient_evidence.size() == receipt.repetitions.size()) continue;
    report.add(path, std::to_string(receipt.ambient_evidence.size()) + " records",
               "one valid record for each repetition");
  }
}

constexpr std::array kGateRules = {
    Rule<Question>{.id = "B-01", .check = &request_schema},
    Rule<Question>{.id = "B-02", .check = &policy_lever},
    Rule<Question>{.id = "B-03", .check = &policy_fields},
    Rule<Question>{.id = "B-04", .check = &v1_policy_flags},
    Rule<Question>{.id = "B-05", .check = &sampled_needs_required},
    Rule<Question>{.id = "B-06", .check = &one_requirement},
    Rule<Question>{.id = "B-07", .check = &v1_request_policy},
    Rule<Question>{.id = "B-08", .check = &accepted_valid},
    Rule<Question>{.id = "B-09", .check = &candidate_valid},
    Rule<Question>{.id = "B-10", .check = &accepted_revision},
    Rule<Question>{.id = "B-11", .check = &roles},
    Rule<Question>{.id = "B-12", .check = &one_envelope},
    Rule<Question>{.id = "B-13", .check = &one_lever},
    Rule<Question>{.id = "B-14", .check = &no_drift},
    Rule<Question>{.id = "B-15", .check = &enough_repetitions},
    Rule<Question>{.id = "B-16", .check = &ambient_complete},
};

}  // namespace

Decoded<GateRequest> decode_gate_request(std::string_view text, Rules rules) {
  return decode<GateRequest>(text, rules);
}

Findings check_structure(const Graph& graph, const GateRequest& request, Rules rules) {
  const Question asked{.graph = graph, .request = request};
  return first_failure(std::span<const Rule<Question>>(kGateRules), asked, rules);
}

}  // namespace cairn::evidence
