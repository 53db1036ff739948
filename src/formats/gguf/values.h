// The metadata part of a GGUF header.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "formats/gguf/cursor.h"
#include "formats/metadata.h"

namespace cairn::formats {

/// Reads `count` keys and values. Errors: kInvalidFile naming the key.
Result<Metadata> read_metadata(Cursor& cursor, std::uint64_t count);

}  // namespace cairn::formats
