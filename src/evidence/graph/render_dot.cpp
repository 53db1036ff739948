#include <fmt/format.h>

#include "evidence/graph/render.h"

namespace cairn::evidence {
namespace {

/// `text` inside a quoted DOT string; the label's line break is DOT's own \n, added by the caller.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// '-', '.' and '/' become '_'; so does whatever else a DOT identifier may not hold.
std::string cluster_name(std::string_view id) {
  std::string name = "cluster_";
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || static_cast<unsigned char>(c) >= 0x80;
    name += plain ? c : '_';
  }
  return name;
}

std::string cluster(const Graph& graph, const Envelope& envelope) {
  std::string text =
      fmt::format("  subgraph {} {{\n    label=\"{} | {} | {}\";\n", cluster_name(envelope.id),
                  escaped(envelope.id), escaped(envelope.backend), escaped(envelope.engine));
  for (const Lever& lever : graph.levers) {
    if (lever.applicability.envelope_id != envelope.id) continue;
    text += fmt::format("    \"{0}\" [label=\"{0}\\n{1}{2}\"];\n", escaped(lever.id), lever.status,
                        lever.enabled ? " / enabled" : "");
  }
  return text + "  }\n";
}

/// Each pair of conflicting levers once, from the smaller id.
std::string edges(const Lever& lever) {
  std::string text;
  for (const std::string& id : lever.dependency_ids) {
    text +=
        fmt::format("  \"{}\" -> \"{}\" [label=\"depends\"];\n", escaped(id), escaped(lever.id));
  }
  for (const std::string& id : lever.conflict_ids) {
    if (id <= lever.id) continue;
    text +=
        fmt::format("  \"{}\" -> \"{}\" [dir=both,style=dashed,color=red,label=\"conflicts\"];\n",
                    escaped(lever.id), escaped(id));
  }
  return text;
}

}  // namespace

std::string render_dot(const Graph& graph, std::string_view envelope_id) {
  std::string text = "digraph native_performance {\n  rankdir=LR;\n";
  for (const Envelope& envelope : graph.envelopes) {
    if (envelope_id.empty() || envelope.id == envelope_id) text += cluster(graph, envelope);
  }
  for (const Lever& lever : graph.levers) {
    const bool asked = envelope_id.empty() || lever.applicability.envelope_id == envelope_id;
    if (asked) text += edges(lever);
  }
  return text + "}\n";
}

}  // namespace cairn::evidence
