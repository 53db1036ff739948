#include <fmt/format.h>

#include "evidence/graph/render.h"

namespace cairn::evidence {
namespace {

/// Each enabled conflict says that the experiment switches it off.
std::string conflicts(const Graph& graph, const Lever& lever) {
  if (lever.conflict_ids.empty()) return "-";
  std::string text;
  for (const std::string& id : lever.conflict_ids) {
    const Lever* other = find_lever(graph, id);
    text += (text.empty() ? "" : ",") + one_line(id);
    if (other != nullptr && other->enabled) text += " (enabled: switch OFF for this experiment)";
  }
  return text;
}

}  // namespace

std::string render_next(const Graph& graph, std::string_view envelope_id) {
  const Lever* lever = next_lever(graph, envelope_id);
  if (lever == nullptr) return "NEXT NATIVE-PERFORMANCE ARM: none\n";
  const Applicability& where = lever->applicability;
  return fmt::format(
      "NEXT NATIVE-PERFORMANCE ARM\n"
      "Lever: {}\n"
      "Envelope: {} | {} | {}\n"
      "State: enabled={} status={}\n"
      "Dependencies: {}\n"
      "Conflicts: {}\n"
      "Expected [{}]: {}\n"
      "Expected provenance: {}\n"
      "Owning issue: #{} {}\n"
      "Required witness: {}\n",
      one_line(lever->id), one_line(where.envelope_id), where.platform, where.backend,
      lever->enabled, lever->status, joined_ids(lever->dependency_ids), conflicts(graph, *lever),
      lever->expected.classification, one_line(lever->expected.summary),
      one_line(lever->expected.provenance), lever->owning_issue.number,
      one_line(lever->owning_issue.url), one_line(lever->next_witness));
}

}  // namespace cairn::evidence
