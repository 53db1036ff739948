// The tensors of one safetensors file, checked against its bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "formats/metadata.h"
#include "formats/model_file.h"

namespace cairn::formats {

struct SafetensorsFile {
  Metadata metadata;
  std::vector<TensorInfo> tensors;  // in the order of the header
};

/// Reads and checks a whole file. Errors: as parse_safetensors.
Result<SafetensorsFile> read_safetensors(std::span<const std::byte> bytes);

/// A mapped file and what it says.
struct OpenSafetensors {
  MappedFile file;
  SafetensorsFile content;
};

/// Errors: as read_safetensors with the path in front; kIo or kNotFound.
Result<OpenSafetensors> map_safetensors(const std::string& path);

}  // namespace cairn::formats
