#include "tests/evidence/examples.h"

#include "base/sha256.h"
#include "evidence/arm/sample.h"
#include "evidence/bench/sample.h"
#include "evidence/compare/comparison.h"
#include "evidence/gate/sample.h"
#include "evidence/state/state_record.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

/// A receipt whose one artifact is its arm record.
Receipt with_arm(Receipt receipt, const std::string& name,
                 std::map<std::string, std::string>& files) {
  const std::string arm = document_text(sample_arm(receipt));
  receipt.profiler_artifacts = {{.path = name, .sha256 = sha256_hex(std::string_view(arm))}};
  files[name] = arm;
  return receipt;
}

GateRequest request(const Receipt& baseline, const std::vector<double>& rates) {
  Receipt candidate = sample_candidate(rates);
  attest(candidate, 10);
  GateRequest asked = strict_request(baseline, candidate);
  asked.policy.minimum_throughput_tokens_per_second = 2;
  return asked;
}

void add_gates(const Receipt& baseline, std::map<std::string, std::string>& files) {
  const std::pair<std::string, std::vector<double>> gates[] = {
      {"pass", {3.2, 3.2, 3.2}}, {"investigate", {3, 3, 3}}, {"regression", {2.5, 2.5, 2.5}}};
  for (const auto& [name, rates] : gates) {
    const GateRequest asked = request(baseline, rates);
    files["gate-" + name + ".json"] = document_text(asked);
    files["verdict-" + name + ".json"] = document_text(judge(pinned_graph(), asked).verdict);
  }
}

std::string state_lines() {
  std::string text;
  for (const BenchRecord& record : {sample_control(), sample_record()}) {
    const Result<std::string> more =
        append_line(text, {.time_utc = record.machine.host_state.clock_after_utc,
                           .kind = "measured",
                           .subject = record.subject.key,
                           .receipt_digest = record.digest,
                           .previous_sha256 = ""});
    if (more.ok()) text = *more;
  }
  return text;
}

}  // namespace

std::map<std::string, std::string> example_documents() {
  std::map<std::string, std::string> files;
  files["receipt-template.json"] = document_text(
      *baseline_template(pinned_graph(), *find_lever(pinned_graph(), "metal.paged-kv")));
  Receipt baseline = with_arm(sample_baseline({3.1, 3.12, 3.11}), "baseline.arm.json", files);
  attest(baseline, 0);
  Receipt candidate = with_arm(sample_candidate(), "candidate.arm.json", files);
  attest(candidate, 10);
  files["receipt-baseline.json"] = document_text(baseline);
  files["receipt-candidate.json"] = document_text(candidate);
  Receipt old = sample_baseline();
  old.schema = kReceiptSchemaV1;
  old.ambient_evidence = {sample_ambient(), sample_ambient(), sample_ambient()};
  files["receipt-v1-with-ambient-records.json"] = document_text(old);
  files["attestation.json"] = document_text(sample_attestation(0));
  files["comparison.json"] =
      document_text(compare_receipts(pinned_graph(), baseline, candidate).value);
  add_gates(baseline, files);
  files["bench-record.json"] = document_text(sample_record());
  files["bench-record-control.json"] = document_text(sample_control());
  files["state-record.jsonl"] = state_lines();
  return files;
}

}  // namespace cairn::evidence
