// A model whose matrices are stored in another type: made tensor by tensor, when it is asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "formats/model_file.h"
#include "tensor/element_type.h"

namespace cairn::formats {

/// The types that matrices can be stored in, by their names: "Q8_0", ...
std::vector<std::string_view> quantized_type_names();

/// Errors: kInvalidArgument naming what was found and the types that are accepted.
Result<ElementType> parse_quantized_type(std::string_view name);

/// `file` with its matrices in `type` and its vectors in f32. Rows that `type` cannot hold, as they
/// are no whole blocks, are stored in the type that llama.cpp takes for them, and `notes` tells how
/// many. Bytes are made when a tensor is read, so that no other one is in memory meanwhile.
/// Errors: kUnsupported naming a tensor that is in blocks already, whose errors would add up.
/// Source: llama.cpp, src/llama-quant.cpp, of the pure types (--pure).
Result<ModelFile> quantized(const ModelFile& file, ElementType type,
                            std::vector<std::string>& notes);

}  // namespace cairn::formats
