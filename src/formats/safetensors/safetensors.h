// safetensors: one file, or a folder of them with an index.
// Source: the safetensors repository, README, section "Format"; the index as transformers writes
// it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/status.h"
#include "formats/model_file.h"

namespace cairn::formats {

/// Opens one file. Shapes are turned round: shape[0] is the row length, as everywhere in cairn.
/// Errors: kIo or kNotFound; kInvalidFile for a header that does not keep the format, for ranges
/// that overlap, leave bytes to nobody or differ from type and shape; kUnsupported for a dtype that
/// is no type of a weight. Messages start with the path and name the tensor.
Result<ModelFile> open_safetensors(const std::string& path);

/// The same for one file's bytes, which must outlive the result.
Result<ModelFile> parse_safetensors(std::span<const std::byte> bytes);

/// The weights of a folder: those that its index names and no others; without an index its one
/// file, "model.safetensors". The names that begin with "consolidated" are looked for after those.
/// Errors: as open_safetensors; kNotFound listing the parts that the index names and the folder
/// lacks; kInvalidFile for a tensor in another part than the index says, for one that it does not
/// name or names twice, and for a part that is no plain name; kUnsupported for a folder that has
/// only pickled weights, which are never opened.
Result<ModelFile> open_safetensors_folder(const std::string& folder);

}  // namespace cairn::formats
