// Qwen2 and Qwen2.5: Llama's block, with biases of queries, keys and values (read wherever the file
// has them) and pairs of the rotation half a head apart.
// Source: Yang et al. 2024, arXiv 2407.10671, section 2.2; llama.cpp conversion/qwen.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> qwen2(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000));
  return with_layers(basics, [&](std::size_t layer) {
    return LayerSpec{.mixer = rotated_attention(config, basics, layer),
                     .feed_forward = gated_mlp(config, basics.shape, layer)};
  });
}

}  // namespace cairn::models
