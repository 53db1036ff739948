// G-19..G-25, G-35 and Z-06: what a lever says of itself.
#include <array>

#include "evidence/graph/platforms.h"
#include "evidence/graph/view.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

std::string lever_path(std::size_t index, std::string_view key = "") {
  const std::string path = item_path("levers", index);
  return key.empty() ? path : member_path(path, key);
}

void ids(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    report_blank(view.graph.levers[i].id, lever_path(i, "id"), report);
  }
  report_repeated_ids(view.graph.levers, "levers", "lever", report);
}

void state(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const Lever& lever = view.graph.levers[i];
    report_status(lever.status, lever_path(i), report);
    report_enablement(lever.enabled, lever.status, lever_path(i), report);
  }
}

void envelope_known(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const std::string& id = view.graph.levers[i].applicability.envelope_id;
    if (view.envelopes.contains(id)) continue;
    report.add(lever_path(i, "applicability.envelope_id"), "unknown envelope " + quote(id),
               "the id of an envelope");
  }
}

void report_pair(const GraphView& view, std::size_t index, Report& report) {
  const Applicability& where = view.graph.levers[index].applicability;
  const bool literal = !view.v3 || find_envelope(view.pinned, where.envelope_id) != nullptr;
  const bool good = literal ? is_pinned_pair(where.backend, where.platform)
                            : is_registered_pair(where.backend, where.platform);
  if (good) return;
  report.add(lever_path(index, "applicability"),
             "backend " + quote(where.backend) + " on " + quote(where.platform),
             literal ? "metal on darwin/arm64, or cuda on linux/amd64+nvidia-a100"
                     : "a backend of metal, cuda, cpu, vulkan with a platform of its own");
}

void backend_and_platform(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const Applicability& where = view.graph.levers[i].applicability;
    report_pair(view, i, report);
    const Envelope* envelope = view.envelope(where.envelope_id);
    if (envelope == nullptr || envelope->backend == where.backend) continue;
    report.add(lever_path(i, "applicability.backend"), quote(where.backend),
               "the envelope's backend " + quote(envelope->backend));
  }
}

void expectation(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const LeverExpectation& expected = view.graph.levers[i].expected;
    if (expected.classification != "hypothesis") {
      report.add(lever_path(i, "expected.classification"), quote(expected.classification),
                 "hypothesis");
    }
    report_blank(expected.summary, lever_path(i, "expected.summary"), report);
    report_blank(expected.provenance, lever_path(i, "expected.provenance"), report);
  }
}

void witness(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    if (!view.graph.levers[i].witnessed) continue;
    const LeverWitness& witnessed = *view.graph.levers[i].witnessed;
    if (witnessed.classification != "witnessed") {
      report.add(lever_path(i, "witnessed.classification"), quote(witnessed.classification),
                 "witnessed");
    }
    report_blank(witnessed.summary, lever_path(i, "witnessed.summary"), report);
    report_blank(witnessed.provenance, lever_path(i, "witnessed.provenance"), report);
    report_blank(witnessed.receipt, lever_path(i, "witnessed.receipt"), report);
  }
}

void ownership(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const Lever& lever = view.graph.levers[i];
    if (lever.owning_issue.number <= 0) {
      report.add(lever_path(i, "owning_issue.number"), std::to_string(lever.owning_issue.number),
                 "a number above 0");
    }
    report_blank(lever.owning_issue.url, lever_path(i, "owning_issue.url"), report);
    report_blank(lever.next_witness, lever_path(i, "next_witness"), report);
  }
}

void witness_needs_pins(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const Lever& lever = view.graph.levers[i];
    const Envelope* envelope = view.envelope(lever.applicability.envelope_id);
    if (!lever.witnessed || envelope == nullptr || is_pinned(*envelope)) continue;
    report.add(lever_path(i, "witnessed"), "a witness in an envelope with an unresolved pin",
               "null until hash and memory size are pinned");
  }
}

void ids_without_blanks(const GraphView& view, Report& report) {
  for (std::size_t i = 0; i < view.graph.levers.size(); ++i) {
    const std::string& id = view.graph.levers[i].id;
    if (id.find_first_of(" \t\r\n\v\f") == std::string::npos) continue;
    report.add(lever_path(i, "id"), quote(id), "an id without blanks");
  }
}

constexpr std::array kLeverRules = {
    GraphRule{.id = "G-19", .check = &ids},
    GraphRule{.id = "G-20", .check = &state},
    GraphRule{.id = "G-21", .check = &envelope_known},
    GraphRule{.id = "G-22", .check = &backend_and_platform},
    GraphRule{.id = "G-23", .check = &expectation},
    GraphRule{.id = "G-24", .check = &witness},
    GraphRule{.id = "G-25", .check = &ownership},
    GraphRule{.id = "G-35", .check = &witness_needs_pins},
    GraphRule{.id = "Z-06", .check = &ids_without_blanks},
};

}  // namespace

std::span<const GraphRule> lever_rules() { return kLeverRules; }

}  // namespace cairn::evidence
