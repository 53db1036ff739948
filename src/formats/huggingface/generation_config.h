// generation_config.json: how its authors sample from a model, and where its answers end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "formats/huggingface/config_json.h"
#include "formats/metadata.h"

namespace cairn::formats {

/// Sets general.sampling.* and, where there is more than one id that ends an answer,
/// tokenizer.huggingface.stop_ids: those of `generation`, else of `config`. Settings of a kind of
/// search that is not done here are named in `warnings`. `count` is the number of tokens.
/// Errors: kInvalidFile naming a key of another kind, or an id that is no token.
Status translate_generation(ConfigJson& config, ConfigJson& generation, std::size_t count,
                            Metadata& metadata, std::vector<std::string>& warnings);

}  // namespace cairn::formats
