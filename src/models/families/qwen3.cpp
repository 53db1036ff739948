// Qwen3: no biases; queries and keys are normed head by head before they are rotated.
// Source: Yang et al. 2025, arXiv 2505.09388, section 2; llama.cpp conversion/qwen.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> qwen3(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000));
  return with_layers(basics, [&](std::size_t layer) {
    return LayerSpec{.mixer = attention_of_normed_heads(config, basics, layer),
                     .feed_forward = gated_mlp(config, basics.shape, layer)};
  });
}

}  // namespace cairn::models
