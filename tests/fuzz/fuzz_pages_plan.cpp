// room: evidence
// Any bytes as the plan of the benchmark pages, beside a whole tree: read, checked and written.
#include "evidence/pages/check.h"
#include "evidence/pages/sample_tree.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const evidence::Tree kTree = evidence::SampleTree().build();
  const auto read = evidence::decode<evidence::PagesPlan>(cairn::fuzz::text_of(data, size));
  consume(read.findings);
  if (!read.ok()) return 0;  // the whole tree takes half a second under sanitizers
  evidence::Tree tree = kTree;
  tree.files[std::string(evidence::kPlanPath)] = std::string(cairn::fuzz::text_of(data, size));
  consume(evidence::check_pages(tree));
  return 0;
}
