// room: evidence
// Any bytes as an arm record: read and checked beside a receipt. Nothing may crash.
#include "evidence/arm/sample.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const evidence::Graph kGraph = evidence::pinned_graph();
  static const evidence::Receipt kReceipt = evidence::sample_candidate();
  const auto read = evidence::decode_arm_record(cairn::fuzz::text_of(data, size));
  consume(read.findings);
  if (!read.ok()) return 0;
  consume(evidence::check_arm_record(kGraph, kReceipt, read.value));
  consume(evidence::check_arm_pair(kGraph, read.value, read.value));
  cairn::fuzz::consume_document(read.value);
  return 0;
}
