// The tensors of a checkpoint under the names and in the order of rows that families read.
#pragma once

#include <vector>

#include "base/status.h"
#include "formats/huggingface/families.h"
#include "formats/model_file.h"

namespace cairn::formats {

/// What the changes need to know of the config.
struct TensorChanges {
  std::uint64_t heads = 0;
  std::uint64_t kv_heads = 0;
  bool is_tied = false;  // the head is the embedding: a stored one is not used, as in transformers
};

/// The tensors of `weights`, renamed and changed as `family` says; bytes are not copied but made
/// when they are asked for. Errors: kUnsupported naming a tensor that no name fits; kInvalidFile
/// for rows that heads do not divide, and for a head that is missing where nothing ties it.
Result<std::vector<TensorInfo>> translate_tensors(const HuggingfaceFamily& family,
                                                  const ModelFile& weights,
                                                  const TensorChanges& changes);

/// A tensor of these values.
TensorInfo constant_tensor(std::string name, std::vector<float> values);

}  // namespace cairn::formats
