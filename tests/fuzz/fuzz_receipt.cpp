// room: evidence
// Any bytes as a receipt: read, validated, written and compared with itself. Nothing may crash.
#include <cstdint>
#include <string_view>

#include "evidence/compare/comparison.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/wire/encode.h"

namespace {

/// Keeps results from being optimised away.
volatile std::size_t sink = 0;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace evidence = cairn::evidence;
  static const evidence::Graph kGraph = evidence::pinned_graph();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const evidence::Decoded<evidence::Receipt> receipt = evidence::decode_receipt(text);
  sink = sink + evidence::to_lines(receipt.findings, "receipt").size();
  if (!receipt.ok()) return 0;
  sink = sink + evidence::validate_receipt(kGraph, receipt.value).size();
  sink = sink + evidence::receipt_warnings(receipt.value).size();
  sink = sink + evidence::document_text(receipt.value).size();
  sink = sink + evidence::compare_receipts(kGraph, receipt.value, receipt.value).findings.size();
  return 0;
}
