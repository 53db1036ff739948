// The families: each maps a file's names and numbers to blocks, and computes nothing.
// Errors of all: kInvalidFile naming a key that is missing or wrong; kUnsupported naming a value
// that is not understood.
#pragma once

#include "base/status.h"
#include "models/config.h"
#include "models/decoder_spec.h"

namespace cairn::models {

/// ERNIE 4.5, dense.
Result<DecoderSpec> ernie4_5(Config& config);

/// EXAONE 4.
Result<DecoderSpec> exaone4(Config& config);

/// Gemma.
Result<DecoderSpec> gemma(Config& config);

/// Gemma 2.
Result<DecoderSpec> gemma2(Config& config);

/// Gemma 3, text.
Result<DecoderSpec> gemma3(Config& config);

/// GLM-4, text.
Result<DecoderSpec> glm4(Config& config);

/// Granite 3 and 4, dense.
Result<DecoderSpec> granite(Config& config);

/// Hunyuan, dense.
Result<DecoderSpec> hunyuan_dense(Config& config);

/// Llama 1 to 3.3 and what is built like them (Mistral, SmolLM2, Yi, InternLM3).
Result<DecoderSpec> llama(Config& config);

/// OLMo 2 and 3.
Result<DecoderSpec> olmo2(Config& config);

/// Phi-3 and Phi-4, but for the long contexts of some.
Result<DecoderSpec> phi3(Config& config);

/// Qwen2 and Qwen2.5.
Result<DecoderSpec> qwen2(Config& config);

/// Qwen3, dense.
Result<DecoderSpec> qwen3(Config& config);

/// Seed-OSS.
Result<DecoderSpec> seed_oss(Config& config);

/// SmolLM3.
Result<DecoderSpec> smollm3(Config& config);

/// Arcee (AFM).
Result<DecoderSpec> arcee(Config& config);

/// Command R7B and Command A.
Result<DecoderSpec> cohere2(Config& config);

/// Command R.
Result<DecoderSpec> command_r(Config& config);

/// Nemotron 4 and Minitron.
Result<DecoderSpec> nemotron(Config& config);

/// OLMo 1.
Result<DecoderSpec> olmo(Config& config);

/// StableLM 2, but for its 12B.
Result<DecoderSpec> stablelm(Config& config);

/// StarCoder2.
Result<DecoderSpec> starcoder2(Config& config);

}  // namespace cairn::models
