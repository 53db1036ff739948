// room: evidence
// Any bytes as an attestation file: reading, every rule of 7.7, the verdict, and writing again.
// What was read must read back as the same report with the same digest.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "evidence/attestation/check.h"
#include "evidence/wire/encode.h"

namespace {

namespace attestation = cairn::evidence::attestation;

/// Keeps results from being optimised away.
volatile std::size_t sink = 0;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = attestation::read(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!read.ok()) {
    sink = sink + cairn::evidence::to_lines(read.findings, "file").size();
    return 0;
  }
  for (const auto& findings :
       {attestation::check(read.value), attestation::check(read.value, {.off = "A-04"}),
        attestation::check_opt_in(read.value)}) {
    sink = sink + cairn::evidence::to_lines(findings, "file").size();
  }
  const std::string text = cairn::evidence::document_text(read.value);
  const auto again = attestation::read(text);
  // Escapes may make the text longer than the most that is accepted.
  if (text.size() > attestation::kFileBytesMax) return 0;
  require(again.ok());
  require(cairn::evidence::document_text(again.value) == text);
  require(attestation::digest_of(again.value) == attestation::digest_of(read.value));
  return 0;
}
