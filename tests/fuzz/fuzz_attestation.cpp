// room: evidence
// Any bytes as an attestation file: reading, every rule of 7.7, the verdict, and writing again.
// What was read must read back as the same report with the same digest.
#include <cstdlib>
#include <string>

#include "evidence/attestation/check.h"
#include "tests/fuzz/evidence.h"

namespace {

namespace attestation = cairn::evidence::attestation;
using cairn::fuzz::consume;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = attestation::read(cairn::fuzz::text_of(data, size));
  consume(read.findings);
  if (!read.ok()) return 0;
  consume(attestation::check(read.value));
  consume(attestation::check(read.value, {.off = "A-04"}));
  consume(attestation::check_opt_in(read.value));
  const std::string text = cairn::evidence::document_text(read.value);
  const auto again = attestation::read(text);
  // Escapes may make the text longer than the most that is accepted.
  if (text.size() > attestation::kFileBytesMax) return 0;
  require(again.ok());
  require(cairn::evidence::document_text(again.value) == text);
  require(attestation::digest_of(again.value) == attestation::digest_of(read.value));
  return 0;
}
