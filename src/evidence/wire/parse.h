// Text into a Value: the rules of chapter 3 that need no knowledge of the document.
#pragma once

#include <string>
#include <string_view>

#include "evidence/wire/finding.h"
#include "evidence/wire/value.h"

namespace cairn::evidence {

/// The deepest nesting that is read; the deepest document of the contract has eight levels.
constexpr std::size_t kDepthMax = 64;
/// The most bytes of one document, except attestation files.
constexpr std::uint64_t kDocumentBytesMax = std::uint64_t{64} << 20U;

/// A tree, or the first thing that is wrong with the text.
struct Parsed {
  Value root;
  Findings findings;

  bool ok() const { return findings.empty(); }
};

/// Parses one JSON text: exactly one value (J-02), no number beyond a double (J-04), no key twice
/// (J-05), UTF-8 throughout (J-09). Cost: linear in the text.
Parsed parse_document(std::string_view text, Rules rules = {});

/// The text below the key "schema" of an object that was read; "" for all else.
std::string schema_of(const Parsed& parsed);

}  // namespace cairn::evidence
