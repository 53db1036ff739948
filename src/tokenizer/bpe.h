// Byte-pair encoding with a list of merges: GPT-2's byte-level kind, and the kind over characters
// with byte fallback (Gemma 4).
// Source: Sennrich and others 2016, arXiv 1508.07909; Radford and others 2019 (byte level).
#pragma once

#include <memory>

#include "tokenizer/encoder.h"

namespace cairn::tokenizer {

/// Reads tokenizer.ggml.{merges,pre}. Errors: kUnsupported for an unknown pre-tokenizer;
/// kInvalidFile for a merge without a space, naming its index.
Result<std::unique_ptr<Encoder>> create_bpe(const EncoderSource& source);
Result<EncoderDefaults> bpe_defaults(const formats::Metadata& metadata);

}  // namespace cairn::tokenizer
