// room: evidence
// Any bytes as a graph file: read, validated, rendered in every way. Nothing may crash or hang.
#include <cstdint>
#include <string_view>

#include "evidence/graph/render.h"
#include "evidence/graph/validate.h"
#include "evidence/receipt/receipt.h"
#include "evidence/wire/encode.h"

namespace {

/// Keeps results from being optimised away.
volatile std::size_t sink = 0;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace evidence = cairn::evidence;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const evidence::Decoded<evidence::Graph> graph = evidence::decode_graph(text);
  sink = sink + evidence::to_lines(graph.findings, "graph").size();
  if (!graph.ok()) return 0;
  const evidence::Findings findings = evidence::validate_graph(graph.value);
  sink = sink + evidence::to_lines(findings, "graph").size();
  sink = sink + evidence::document_text(graph.value).size();
  if (!findings.empty()) return 0;
  sink = sink + evidence::render_map(graph.value).size() + evidence::render_dot(graph.value).size();
  sink = sink + evidence::render_next(graph.value).size();
  return 0;
}
