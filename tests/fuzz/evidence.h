// What the fuzz targets of evidence documents share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "evidence/wire/encode.h"
#include "evidence/wire/finding.h"

namespace cairn::fuzz {

/// The input as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Keeps a result from being optimised away.
inline void consume(std::size_t value) {
  static volatile std::size_t sink = 0;
  sink = sink + value;
}

/// Writes the error lines, which quote the input.
inline void consume(const evidence::Findings& findings) {
  consume(evidence::to_lines(findings, "document").size());
}

/// Writes the document.
template <evidence::Struct T>
void consume_document(const T& document) {
  consume(evidence::document_text(document).size());
}

}  // namespace cairn::fuzz
