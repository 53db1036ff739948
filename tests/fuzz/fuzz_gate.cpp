// room: evidence
// Any bytes as a gate request: read and judged, strictly and not. Nothing may crash.
#include "evidence/data/pinned_graph.h"
#include "evidence/gate/gate.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const evidence::Graph kGraph = evidence::pinned_graph();
  const auto request = evidence::decode_gate_request(cairn::fuzz::text_of(data, size));
  consume(request.findings);
  if (!request.ok()) return 0;
  for (const auto strictness : {evidence::Strictness::kDefault, evidence::Strictness::kStrict}) {
    const evidence::GateResult result = evidence::judge(kGraph, request.value, strictness);
    consume(result.findings);
    if (result.ok()) cairn::fuzz::consume_document(result.verdict);
  }
  return 0;
}
