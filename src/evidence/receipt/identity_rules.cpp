// R-01..R-15 and R-32: what a receipt is of.
#include <array>
#include <cmath>
#include <set>

#include "evidence/receipt/rules.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

/// Reports a string that is blank or still a placeholder.
void report_unfilled(const std::string& text, std::string path, Report& report) {
  if (is_blank(text) || is_placeholder(text)) {
    report.add(std::move(path), quote(text), "a filled text, no placeholder");
  }
}

void report_other(const std::string& found, const std::string& accepted, std::string path,
                  Report& report) {
  if (found != accepted) report.add(std::move(path), quote(found), quote(accepted));
}

void schema(const ReceiptView& view, Report& report) {
  const std::string& found = view.receipt.schema;
  if (found == kReceiptSchemaV1 || found == kReceiptSchemaV2) return;
  report.add("schema", quote(found),
             std::string(kReceiptSchemaV1) + " or " + std::string(kReceiptSchemaV2));
}

void v1_has_no_attestations(const ReceiptView& view, Report& report) {
  if (view.receipt.schema != kReceiptSchemaV1) return;
  if (!view.receipt.system_baselines.empty()) {
    report.add("system_baselines", "attestations in a v1 receipt", "none before v2");
  }
  for (std::size_t i = 0; i < view.receipt.repetitions.size(); ++i) {
    if (view.receipt.repetitions[i].system_baseline_digest.empty()) continue;
    report.add(member_path(item_path("repetitions", i), "system_baseline_digest"),
               "a digest in a v1 receipt", "none before v2");
  }
}

void role(const ReceiptView& view, Report& report) {
  if (view.receipt.role == "baseline" || view.receipt.role == "candidate") return;
  report.add("role", quote(view.receipt.role), "baseline or candidate");
}

void lever_known(const ReceiptView& view, Report& report) {
  if (view.lever == nullptr) {
    report.add("changed_lever_id", "unknown lever " + quote(view.receipt.changed_lever_id),
               "the id of a lever of the graph");
  } else if (view.envelope == nullptr) {
    report.add("changed_lever_id", "a lever of no envelope", "a lever of an envelope");
  }
}

void envelope_of_lever(const ReceiptView& view, Report& report) {
  if (view.envelope == nullptr) return;
  report_other(view.receipt.envelope_id, view.envelope->id, "envelope_id", report);
}

void machine_fits(const ReceiptView& view, Report& report) {
  if (view.envelope == nullptr) return;
  report_other(view.receipt.machine.platform, view.lever->applicability.platform,
               "machine.platform", report);
  report_other(view.receipt.machine.backend, view.envelope->backend, "machine.backend", report);
}

void artifact(const ReceiptView& view, Report& report) {
  if (view.envelope == nullptr) return;
  const std::string& pin = view.envelope->artifact_sha256;
  const std::string& found = view.receipt.artifact_sha256;
  if (is_hex64(pin)) {
    report_other(found, pin, "artifact_sha256", report);
  } else if (!is_sha256_hex(found)) {
    report.add("artifact_sha256", quote(found),
               "the real hash, 64 lower-case hex digits, while the envelope's pin is open");
  }
}

void revision(const ReceiptView& view, Report& report) {
  report_unfilled(view.receipt.revision, "revision", report);
}

void machine_id(const ReceiptView& view, Report& report) {
  const std::string& id = view.receipt.machine.scrubbed_id;
  if (is_scrubbed_id(id) && !is_placeholder(id)) return;
  report.add("machine.scrubbed_id", quote(id),
             "a filled id without path, host, user or colon, no placeholder");
}

void execution_filled(const ReceiptView& view, Report& report) {
  const Execution& execution = view.receipt.execution;
  if (is_blank(execution.engine)) {
    report.add("execution.engine", quote(execution.engine), "a text that is not blank");
  }
  if (is_blank(execution.forward_path)) {
    report.add("execution.forward_path", quote(execution.forward_path), "a text that is not blank");
  }
}

void engine(const ReceiptView& view, Report& report) {
  if (view.envelope == nullptr) return;
  report_other(view.receipt.execution.engine, view.envelope->engine, "execution.engine", report);
}

void no_fallback(const ReceiptView& view, Report& report) {
  const std::int64_t count = view.receipt.execution.fallback_count;
  if (count != 0) report.add("execution.fallback_count", std::to_string(count), "0");
}

void forward_path(const ReceiptView& view, Report& report) {
  if (view.envelope == nullptr) return;
  report_other(view.receipt.execution.forward_path, view.envelope->forward_path,
               "execution.forward_path", report);
}

void quality(const ReceiptView& view, Report& report) {
  report_unfilled(view.receipt.quality.name, "quality.name", report);
  if (!std::isfinite(view.receipt.quality.score)) {
    report.add("quality.score", shown_number(view.receipt.quality.score), "a finite number");
  }
}

void modules(const ReceiptView& view, Report& report) {
  if (view.receipt.module_versions.empty()) {
    report.add("module_versions", "no module", "at least one module");
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < view.receipt.module_versions.size(); ++i) {
    const ModuleVersion& version = view.receipt.module_versions[i];
    const std::string path = item_path("module_versions", i);
    report_unfilled(version.module, member_path(path, "module"), report);
    report_unfilled(version.revision, member_path(path, "revision"), report);
    if (seen.insert(version.module).second) continue;
    report.add(member_path(path, "module"), quote(version.module) + " again", "each module once");
  }
}

/// A token <n>gib, n above 0, bounded by '-', '_', '.' or the ends.
bool names_memory(std::string_view id) {
  while (!id.empty()) {
    const std::size_t end = std::min(id.find_first_of("-_."), id.size());
    const std::string_view token = id.substr(0, end);
    id.remove_prefix(std::min(end + 1, id.size()));
    if (token.size() < 4 || !token.ends_with("gib")) continue;
    const std::string_view digits = token.substr(0, token.size() - 3);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) continue;
    if (digits.find_first_not_of('0') != std::string_view::npos) return true;
  }
  return false;
}

void memory_named(const ReceiptView& view, Report& report) {
  if (view.envelope == nullptr || view.envelope->memory_gib != 0) return;
  if (names_memory(view.receipt.machine.scrubbed_id)) return;
  report.add("machine.scrubbed_id", quote(view.receipt.machine.scrubbed_id),
             "an id with a token such as 80gib, while the envelope's memory size is open");
}

constexpr std::array kIdentityRules = {
    ReceiptRule{.id = "R-01", .check = &schema},
    ReceiptRule{.id = "R-02", .check = &v1_has_no_attestations},
    ReceiptRule{.id = "R-03", .check = &role},
    ReceiptRule{.id = "R-04", .check = &lever_known},
    ReceiptRule{.id = "R-05", .check = &envelope_of_lever},
    ReceiptRule{.id = "R-06", .check = &machine_fits},
    ReceiptRule{.id = "R-07", .check = &artifact},
    ReceiptRule{.id = "R-08", .check = &revision},
    ReceiptRule{.id = "R-09", .check = &machine_id},
    ReceiptRule{.id = "R-10", .check = &execution_filled},
    ReceiptRule{.id = "R-11", .check = &engine},
    ReceiptRule{.id = "R-12", .check = &no_fallback},
    ReceiptRule{.id = "R-13", .check = &forward_path},
    ReceiptRule{.id = "R-14", .check = &quality},
    ReceiptRule{.id = "R-15", .check = &modules},
    ReceiptRule{.id = "R-32", .check = &memory_named},
};

}  // namespace

std::span<const ReceiptRule> identity_rules() { return kIdentityRules; }

}  // namespace cairn::evidence
