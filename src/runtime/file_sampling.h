// The generation settings that a model file carries.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "engine/sampling/params.h"
#include "formats/metadata.h"

namespace cairn::runtime {

struct FileSampling {
  engine::SamplingParams params = {};  // greedy where the file says nothing
  std::string origin = "greedy";       // where params come from, in words
  bool own = false;                    // the file has settings of its own
  std::vector<std::string> warnings = {};
};

/// Reads the general.sampling keys. A file that names a truncation but no temperature means 1, the
/// default of the library it was converted from. What is not understood gives a warning.
/// Errors: kInvalidFile for a value of the wrong type or out of range.
/// Source: gguf-py, gguf/constants.py, class General; transformers, GenerationConfig.
Result<FileSampling> read_sampling(const formats::Metadata& metadata);

}  // namespace cairn::runtime
