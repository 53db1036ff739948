#include "evidence/graph/graph.h"

#include <algorithm>

#include "evidence/wire/predicates.h"

namespace cairn::evidence {

bool is_pinned(const Envelope& envelope) {
  return is_hex64(envelope.artifact_sha256) && envelope.memory_gib != 0;
}

Decoded<Graph> decode_graph(std::string_view text, Rules rules) {
  return decode_by_schema<Graph>(text, rules);
}

const Envelope* find_envelope(const Graph& graph, std::string_view id) {
  const auto found = std::ranges::find(graph.envelopes, id, &Envelope::id);
  return found == graph.envelopes.end() ? nullptr : &*found;
}

const Lever* find_lever(const Graph& graph, std::string_view id) {
  const auto found = std::ranges::find(graph.levers, id, &Lever::id);
  return found == graph.levers.end() ? nullptr : &*found;
}

bool is_ready(const Graph& graph, const Lever& lever) {
  if (lever.enabled || lever.witnessed) return false;
  return std::ranges::all_of(lever.dependency_ids, [&](const std::string& id) {
    const Lever* dependency = find_lever(graph, id);
    return dependency != nullptr && dependency->enabled;
  });
}

const Lever* next_lever(const Graph& graph, std::string_view envelope_id) {
  for (const Lever& lever : graph.levers) {
    const bool asked = envelope_id.empty() || lever.applicability.envelope_id == envelope_id;
    if (asked && is_ready(graph, lever)) return &lever;
  }
  return nullptr;
}

}  // namespace cairn::evidence
