// GGUF: versions 2 and 3, little-endian, one file or split into parts.
// Source: the GGUF specification (ggml repository, docs/gguf.md) and gguf-py's constants.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/status.h"
#include "formats/model_file.h"

namespace cairn::formats {

/// Opens `path` and, when it is a part of a split model, all other parts beside it.
/// Errors: kIo or kNotFound for files that cannot be opened (a missing part is named); kInvalidFile
/// for wrong bytes; kUnsupported for version 1, big-endian files and types that are never weights.
/// Messages start with the file's path.
Result<ModelFile> open_gguf(const std::string& path);

/// The same for one file's bytes, which must outlive the result. A part of a split model is parsed
/// alone.
Result<ModelFile> parse_gguf(std::span<const std::byte> bytes);

}  // namespace cairn::formats
