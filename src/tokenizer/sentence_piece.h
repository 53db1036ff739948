// SentencePiece's two models over vocabularies with scores: byte-pair merges by score ("llama"),
// and the unigram language model ("t5"), both with byte fallback. Source: Kudo and Richardson 2018,
// arXiv 1808.06226; Kudo 2018, arXiv 1804.10959.
#pragma once

#include <memory>

#include "tokenizer/encoder.h"

namespace cairn::tokenizer {

/// Errors of both: kInvalidFile for missing scores or a damaged character map.
Result<std::unique_ptr<Encoder>> create_spm(const EncoderSource& source);
Result<EncoderDefaults> spm_defaults(const formats::Metadata& metadata);

/// The same for Unigram.
Result<std::unique_ptr<Encoder>> create_unigram(const EncoderSource& source);
Result<EncoderDefaults> unigram_defaults(const formats::Metadata& metadata);

}  // namespace cairn::tokenizer
