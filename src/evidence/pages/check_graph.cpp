// Expected and witnessed: M-72, M-73, M-74, M-77.
#include <algorithm>
#include <array>

#include "evidence/data/pinned_graph.h"
#include "evidence/pages/check.h"
#include "evidence/wire/encode.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

/// The witnessed cell of a lever's row says what is only expected.
bool shows_expectation(const MarkdownTable& table, const MarkdownRow& row, const Graph& graph) {
  const std::string_view shown = table.cell(row, "witnessed");
  return std::ranges::any_of(graph.levers, [&](const Lever& lever) {
    return table.cell(row, "lever") == "`" + lever.id + "`" && shown == lever.expected.summary;
  });
}

/// M-72
void expected_apart(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.cell("evidence").find("graph.json") == std::string_view::npos) continue;
    report.add(row.place(), "a result taken from the graph", "a receipt or bench record");
  }
  const auto page = view.tree.files.find(std::string(kGraphPagePath));
  if (page == view.tree.files.end()) return;
  const Markdown parsed = parse_markdown(page->second);
  for (const MarkdownTable& table : parsed.tables) {
    for (const MarkdownRow& row : table.rows) {
      if (!shows_expectation(table, row, view.evidence.graph)) continue;
      report.add(at_line(kGraphPagePath, row.line), "what is expected",
                 "what was witnessed, or none");
    }
  }
}

bool is_pinned_envelope(std::string_view id) {
  static const Graph kPinned = pinned_graph();
  return find_envelope(kPinned, id) != nullptr;
}

/// The text of "<candidate without .json>.gate.json", the request that was judged.
std::string gate_path(const std::string& receipt) {
  return receipt.substr(0, receipt.size() - std::string_view(".json").size()) + ".gate.json";
}

/// Why the receipt does not witness the lever, or "".
std::string witness_fault(const PagesView& view, const Lever& lever, const std::string& path) {
  const auto found = view.evidence.receipts.find(path);
  if (found == view.evidence.receipts.end()) {
    return view.evidence.records.contains(path) ? "a bench record" : "no receipt";
  }
  const Receipt& receipt = found->second;
  if (receipt.role != "candidate") return "a " + receipt.role + " receipt";
  if (receipt.envelope_id != lever.applicability.envelope_id) return "another envelope's receipt";
  if (receipt.changed_lever_id != lever.id) return "another lever's receipt";
  const auto text = view.tree.files.find(std::string(kEvidenceFolder) + gate_path(path));
  if (text == view.tree.files.end()) return "a receipt without its gate request beside it";
  const Decoded<GateRequest> request = decode_gate_request(text->second);
  if (!request.ok()) return "a gate request that does not read";
  const GatePolicy& policy = request.value.policy;
  if (policy.schema != kGatePolicySchemaV2 || !policy.require_system_baseline ||
      !policy.allow_sampled_system_baseline) {
    return "a gate without the strict policy";
  }
  const Receipt& judged = request.value.candidate;
  if (canonical_text(judged) != canonical_text(receipt)) return "a gate on another receipt";
  const GateResult result = judge(view.evidence.graph, request.value, Strictness::kStrict);
  if (!result.ok() || result.verdict.classification != "pass") return "a gate that did not pass";
  return "";
}

/// M-73: of every envelope but the pinned ones, whose one witness is quoted data.
void witnesses(const PagesView& view, Report& report) {
  for (const Lever& lever : view.evidence.graph.levers) {
    if (!lever.witnessed || is_pinned_envelope(lever.applicability.envelope_id)) continue;
    std::string path = lever.witnessed->receipt;
    if (path.starts_with(kEvidenceFolder)) path.erase(0, kEvidenceFolder.size());
    const std::string fault = witness_fault(view, lever, path);
    if (fault.empty()) continue;
    report.add("levers." + lever.id + ".witnessed.receipt", quote(path) + ": " + fault,
               "a candidate receipt of this envelope and lever with a strict pass beside it");
  }
}

/// M-74
void default_path(const PagesView& view, Report& report) {
  for (const Lever& lever : view.evidence.graph.levers) {
    if (is_pinned_envelope(lever.applicability.envelope_id)) continue;
    const auto& switches = view.evidence.plan.lever_switches;
    const auto found = std::ranges::find(switches, lever.id, &LeverSwitch::lever_id);
    if (found == switches.end()) {
      if (lever.enabled) {
        report.add("levers." + lever.id, "no setting that switches it", "a row of lever_switches");
      }
      continue;
    }
    const auto value = view.tree.defaults.find(found->setting);
    const bool on = value != view.tree.defaults.end() && value->second == found->on_value;
    if (on == lever.enabled) continue;
    report.add("levers." + lever.id + ".enabled", lever.enabled ? "on" : "off",
               "the default of the setting " + quote(found->setting) + ", which is " +
                   (value == view.tree.defaults.end() ? "unknown" : quote(value->second)));
  }
}

/// M-77
void graph_page(const PagesView& view, Report& report) {
  const auto found = view.tree.files.find(std::string(kGraphPagePath));
  if (found == view.tree.files.end()) {
    report.add(std::string(kGraphPagePath), "no such file", "the page that cairn report writes");
  } else if (found->second != view.generated.at(std::string(kGraphPagePath))) {
    report.add(std::string(kGraphPagePath), "another text", "what the graph gives");
  }
}

constexpr std::array kCheckGraphRules = {
    PagesRule{.id = "M-72", .check = &expected_apart},
    PagesRule{.id = "M-73", .check = &witnesses},
    PagesRule{.id = "M-74", .check = &default_path},
    PagesRule{.id = "M-77", .check = &graph_page},
};

}  // namespace

std::span<const PagesRule> graph_rules() { return kCheckGraphRules; }

}  // namespace cairn::evidence
