// room: evidence
// Any bytes as one repetition of an arm. Nothing may crash.
#include "evidence/arm/arm_run.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = evidence::decode_arm_run(cairn::fuzz::text_of(data, size));
  consume(read.findings);
  if (!read.ok()) return 0;
  consume(evidence::check_arm_run(read.value));
  cairn::fuzz::consume_document(read.value);
  return 0;
}
