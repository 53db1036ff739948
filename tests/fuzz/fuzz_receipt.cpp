// room: evidence
// Any bytes as a receipt: read, validated, written and compared with itself. Nothing may crash.
#include "evidence/compare/comparison.h"
#include "evidence/data/pinned_graph.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const evidence::Graph kGraph = evidence::pinned_graph();
  const auto receipt = evidence::decode_receipt(cairn::fuzz::text_of(data, size));
  consume(receipt.findings);
  if (!receipt.ok()) return 0;
  consume(evidence::validate_receipt(kGraph, receipt.value));
  consume(evidence::receipt_warnings(receipt.value));
  cairn::fuzz::consume_document(receipt.value);
  consume(evidence::compare_receipts(kGraph, receipt.value, receipt.value).findings);
  return 0;
}
