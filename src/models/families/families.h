// The families: each maps a file's names and numbers to blocks, and computes nothing.
// Errors of all: kInvalidFile naming a key that is missing or wrong; kUnsupported naming a value
// that is not understood.
#pragma once

#include "base/status.h"
#include "models/config.h"
#include "models/decoder_spec.h"

namespace cairn::models {

/// Llama 1 to 3.2 and what is built like them (Mistral, SmolLM2, Yi).
Result<DecoderSpec> llama(Config& config);

/// Gemma 3, text.
Result<DecoderSpec> gemma3(Config& config);

}  // namespace cairn::models
