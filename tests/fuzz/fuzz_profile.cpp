// room: evidence
// Any bytes as a profile: read, validated, classified, chosen from. Nothing may crash.
#include "evidence/data/pinned_graph.h"
#include "evidence/profile/classify.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const evidence::Graph kGraph = evidence::pinned_graph();
  const auto profile = evidence::decode_profile(cairn::fuzz::text_of(data, size));
  consume(profile.findings);
  if (!profile.ok()) return 0;
  cairn::fuzz::consume_document(profile.value);
  const auto choice = evidence::choose_from_profile(kGraph, profile.value);
  consume(choice.findings);
  if (choice.ok()) cairn::fuzz::consume_document(choice.value);
  return 0;
}
