// The index of a sharded checkpoint: which part holds which tensor.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn::formats {

/// Part by tensor name.
using WeightMap = std::map<std::string, std::string, std::less<>>;

/// Reads "weight_map" of an index; "metadata" beside it is passed over.
/// Errors: kInvalidFile for other kinds, a tensor that stands twice, a part whose name is not that
/// of a file in the same folder, and an empty map.
Result<WeightMap> parse_safetensors_index(std::string_view text);

}  // namespace cairn::formats
