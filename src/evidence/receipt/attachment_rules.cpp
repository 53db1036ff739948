// R-25..R-31: what is known of the host during each repetition.
#include <array>
#include <set>

#include "evidence/attestation/check.h"
#include "evidence/receipt/rules.h"

namespace cairn::evidence {
namespace {

void one_kind(const ReceiptView& view, Report& report) {
  if (view.receipt.ambient_evidence.empty() || view.receipt.system_baselines.empty()) return;
  report.add("ambient_evidence", "legacy records beside attestations", "one of the two");
}

void ambient_records(const ReceiptView& view, Report& report) {
  const std::vector<AmbientRecord>& records = view.receipt.ambient_evidence;
  if (records.empty()) return;
  if (records.size() != view.receipt.repetitions.size()) {
    report.add(
        "ambient_evidence", std::to_string(records.size()) + " records",
        "one for each of the " + std::to_string(view.receipt.repetitions.size()) + " repetitions");
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string fault = ambient_fault(records[i]);
    if (!fault.empty()) report.add(item_path("ambient_evidence", i), fault, "a valid record");
  }
}

void attestations_valid(const ReceiptView& view, Report& report) {
  for (std::size_t i = 0; i < view.receipt.system_baselines.size(); ++i) {
    report.add_inner(attestation::check(view.receipt.system_baselines[i]),
                     item_path("system_baselines", i));
  }
}

void no_consumers(const ReceiptView& view, Report& report) {
  for (std::size_t i = 0; i < view.receipt.system_baselines.size(); ++i) {
    const auto& consumers = view.receipt.system_baselines[i].top_non_sut_consumers;
    if (!consumers || consumers->empty()) continue;
    report.add(member_path(item_path("system_baselines", i), "top_non_sut_consumers"),
               std::to_string(consumers->size()) + " records", "none in a receipt");
  }
}

void digests_once(const ReceiptView& view, Report& report) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < view.receipt.system_baselines.size(); ++i) {
    const std::string& digest = view.receipt.system_baselines[i].digest;
    if (seen.insert(digest).second) continue;
    report.add(member_path(item_path("system_baselines", i), "digest"), quote(digest) + " again",
               "each attestation once");
  }
}

void not_too_many(const ReceiptView& view, Report& report) {
  const std::size_t count = view.receipt.system_baselines.size();
  if (count <= view.receipt.repetitions.size()) return;
  report.add("system_baselines", std::to_string(count) + " attestations",
             "at most one for each of the " + std::to_string(view.receipt.repetitions.size()) +
                 " repetitions");
}

void bound_in_order(const ReceiptView& view, Report& report) {
  for (std::size_t i = 0; i < view.receipt.repetitions.size(); ++i) {
    const std::string& found = view.receipt.repetitions[i].system_baseline_digest;
    const bool attested = i < view.receipt.system_baselines.size();
    const std::string accepted = attested ? view.receipt.system_baselines[i].digest : "";
    if (found == accepted) continue;
    report.add(member_path(item_path("repetitions", i), "system_baseline_digest"), quote(found),
               attested ? "the digest of the attestation in the same place"
                        : "no digest, as there is no attestation in the same place");
  }
}

constexpr std::array kAttachmentRules = {
    ReceiptRule{.id = "R-25", .check = &one_kind},
    ReceiptRule{.id = "R-26", .check = &ambient_records},
    ReceiptRule{.id = "R-27", .check = &attestations_valid},
    ReceiptRule{.id = "R-28", .check = &no_consumers},
    ReceiptRule{.id = "R-29", .check = &digests_once},
    ReceiptRule{.id = "R-30", .check = &not_too_many},
    ReceiptRule{.id = "R-31", .check = &bound_in_order},
};

}  // namespace

std::span<const ReceiptRule> attachment_rules() { return kAttachmentRules; }

}  // namespace cairn::evidence
