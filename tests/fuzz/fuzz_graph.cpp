// room: evidence
// Any bytes as a graph file: read, validated, rendered in every way. Nothing may crash or hang.
#include "evidence/graph/render.h"
#include "evidence/graph/validate.h"
#include "evidence/receipt/receipt.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto graph = evidence::decode_graph(cairn::fuzz::text_of(data, size));
  consume(graph.findings);
  if (!graph.ok()) return 0;
  const evidence::Findings findings = evidence::validate_graph(graph.value);
  consume(findings);
  cairn::fuzz::consume_document(graph.value);
  if (!findings.empty()) return 0;
  consume(evidence::render_map(graph.value).size() + evidence::render_dot(graph.value).size());
  consume(evidence::render_next(graph.value).size());
  return 0;
}
