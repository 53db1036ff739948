// config.json into metadata.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "formats/huggingface/families.h"

namespace cairn::formats {

/// The keys of `config` as `family` understands them. What is odd and harmless goes to `warnings`.
/// Errors: kInvalidFile naming a key that is missing or of another kind; kUnsupported naming keys
/// and values that are not understood.
Result<Metadata> translate_config(const HuggingfaceFamily& family, ConfigJson& config,
                                  std::vector<std::string>& warnings);

/// The factors that Llama 3.1's scaling divides the frequencies by, from "rope_scaling" of
/// rope_type "llama3"; empty where the config has none. [head_dim / 2]. Errors: as above.
/// Source: Llama 3.1 (transformers, modeling_rope_utils, rope type "llama3").
Result<std::vector<float>> llama3_factors(ConfigJson& config);

}  // namespace cairn::formats
