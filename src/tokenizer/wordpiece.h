// WordPiece: BERT's words, cut greedily into the longest pieces of the vocabulary.
// Source: BERT, tokenization.py (BasicTokenizer, WordpieceTokenizer). In GGUF a piece that starts a
// word has U+2581 in front, and one inside a word has nothing.
#pragma once

#include <memory>

#include "tokenizer/encoder.h"

namespace cairn::tokenizer {

/// Reads tokenizer.ggml.normalizer.{lowercase,strip_accents}. Errors: kInvalidFile without an
/// unknown token.
Result<std::unique_ptr<Encoder>> create_wordpiece(const EncoderSource& source);
Result<EncoderDefaults> wordpiece_defaults(const formats::Metadata& metadata);

}  // namespace cairn::tokenizer
