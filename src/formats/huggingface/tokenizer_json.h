// tokenizer.json: what the Python package `tokenizers` saves, as the metadata of a GGUF file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/status.h"
#include "formats/metadata.h"

namespace cairn::formats {

/// A tokenizer.json, read: the large lists apart, everything else as it stands.
struct TokenizerJson {
  std::vector<std::string> tokens;  // by id, those of the model and the added ones
  std::vector<double> scores;       // by id; of Unigram models
  std::vector<std::string> merges;  // "left right", best first; of BPE models
  Json rest;                        // without model.vocab and model.merges
};

/// Reads the text of a tokenizer.json. Errors: kInvalidFile for what is no such JSON: an id that
/// stands twice or far above the number of tokens, a merge of other than two parts.
Result<TokenizerJson> parse_tokenizer_json(std::string_view text);

/// Sets tokenizer.ggml.{model,tokens,token_type,scores,merges,...} as `tokenizer` means them, for
/// the first `rows` ids, as many as the embedding has; a token above is left out, saying so in
/// `warnings`. Where a pre-tokenizer or a normalizer has no such key, what it is stands in
/// tokenizer.huggingface.{pre_tokenizer,normalizer,ignore_merges}, for the tokenizer room to find.
/// Errors: kUnsupported naming the part that is not understood.
Status translate_tokenizer(const TokenizerJson& tokenizer, std::size_t rows, Metadata& metadata,
                           std::vector<std::string>& warnings);

/// The id of `token`, or nothing.
std::optional<std::uint32_t> id_of(const TokenizerJson& tokenizer, std::string_view token);

}  // namespace cairn::formats
