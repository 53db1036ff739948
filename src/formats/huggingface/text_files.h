// The files of a folder that tell of text: tokenizer, chat template, sampling.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "formats/huggingface/config_json.h"
#include "formats/metadata.h"

namespace cairn::formats {

/// Adds what tokenizer.json, tokenizer_config.json, special_tokens_map.json, chat_template.jinja
/// and generation_config.json of `folder` say. `config` is its config.json, whose bos and eos count
/// where the others name none; `rows` are those of the embedding.
/// Errors: kNotFound listing the tokenizer files that were looked for; those of each, naming it.
Status read_text_files(const std::string& folder, ConfigJson& config, std::size_t rows,
                       Metadata& metadata, std::vector<std::string>& warnings);

}  // namespace cairn::formats
