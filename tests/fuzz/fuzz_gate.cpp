// room: evidence
// Any bytes as a gate request: read and judged, strictly and not. Nothing may crash.
#include <cstdint>
#include <string_view>

#include "evidence/data/pinned_graph.h"
#include "evidence/gate/gate.h"
#include "evidence/wire/encode.h"

namespace {

/// Keeps results from being optimised away.
volatile std::size_t sink = 0;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace evidence = cairn::evidence;
  static const evidence::Graph kGraph = evidence::pinned_graph();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const evidence::Decoded<evidence::GateRequest> request = evidence::decode_gate_request(text);
  sink = sink + evidence::to_lines(request.findings, "request").size();
  if (!request.ok()) return 0;
  for (const auto strictness : {evidence::Strictness::kDefault, evidence::Strictness::kStrict}) {
    const evidence::GateResult result = evidence::judge(kGraph, request.value, strictness);
    sink = sink + evidence::to_lines(result.findings, "request").size();
    if (result.ok()) sink = sink + evidence::document_text(result.verdict).size();
  }
  return 0;
}
