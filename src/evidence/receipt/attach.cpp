#include "evidence/receipt/attach.h"

#include <array>
#include <utility>

#include "evidence/attestation/check.h"
#include "evidence/receipt/rules.h"

namespace cairn::evidence {
namespace {

/// One attachment under way.
struct Attachment {
  const Graph& graph;
  Receipt& receipt;
  const attestation::Attestation& attestation;
};

void refuse_legacy(const Attachment& at, Report& report) {
  if (at.receipt.ambient_evidence.empty()) return;
  report.add("ambient_evidence", "legacy ambient records", "a receipt without them");
}

/// judged under the schema that the file declares; only then does v1 become v2.
void upgrade(const Attachment& at, Report& report) {
  if (at.receipt.schema == kReceiptSchemaV1) {
    Findings found = validate_receipt(at.graph, at.receipt);
    std::erase_if(found, [](const Finding& each) { return each.ids[0] != "R-02"; });
    report.add_inner(found);
    if (found.empty()) at.receipt.schema = kReceiptSchemaV2;
  }
}

void receipt_valid(const Attachment& at, Report& report) {
  report.add_inner(validate_receipt(at.graph, at.receipt));
}

void attestation_valid(const Attachment& at, Report& report) {
  report.add_inner(attestation::check(at.attestation));
}

void no_consumers(const Attachment& at, Report& report) {
  const auto& consumers = at.attestation.top_non_sut_consumers;
  if (!consumers || consumers->empty()) return;
  report.add("top_non_sut_consumers", std::to_string(consumers->size()) + " records",
             "none in what a receipt carries");
}

void room_left(const Attachment& at, Report& report) {
  const std::size_t count = at.receipt.system_baselines.size();
  if (count < at.receipt.repetitions.size()) return;
  report.add("system_baselines", std::to_string(count) + " attestations already",
             "fewer than the " + std::to_string(at.receipt.repetitions.size()) + " repetitions");
}

/// X-07 computes: it refuses nothing.
void bind(const Attachment& at, Report&) {
  const std::size_t index = at.receipt.system_baselines.size();
  if (index >= at.receipt.repetitions.size()) return;
  at.receipt.system_baselines.push_back(at.attestation);
  at.receipt.repetitions[index].system_baseline_digest = at.attestation.digest;
}

constexpr std::array kSteps = {
    Rule<Attachment>{.id = "X-01", .check = &refuse_legacy},
    Rule<Attachment>{.id = "X-02", .check = &upgrade},
    Rule<Attachment>{.id = "X-03", .check = &receipt_valid},
    Rule<Attachment>{.id = "X-04", .check = &attestation_valid},
    Rule<Attachment>{.id = "X-05", .check = &no_consumers},
    Rule<Attachment>{.id = "X-06", .check = &room_left},
    Rule<Attachment>{.id = "X-07", .check = &bind},
    Rule<Attachment>{.id = "X-08", .check = &receipt_valid},
};

}  // namespace

Findings attach_attestation(const Graph& graph, Receipt& receipt,
                            const attestation::Attestation& attestation, Rules rules) {
  const Attachment attachment{.graph = graph, .receipt = receipt, .attestation = attestation};
  return first_failure(std::span<const Rule<Attachment>>(kSteps), attachment, rules);
}

}  // namespace cairn::evidence
