// One GGUF file: header, metadata and where its tensors lie.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/status.h"
#include "formats/metadata.h"
#include "formats/model_file.h"

namespace cairn::formats {

struct GgufPart {
  Metadata metadata;
  std::vector<TensorInfo> tensors;  // their bytes lie in the file's
};

/// Reads and checks everything but the tensors' values and double tensor names.
/// Errors: kInvalidFile, kUnsupported.
Result<GgufPart> read_part(std::span<const std::byte> bytes);

}  // namespace cairn::formats
