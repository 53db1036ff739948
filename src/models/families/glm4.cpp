// GLM-4: norms before and after both sublayers; biases of queries, keys and values; gates and ups
// are one matrix; the front half of each head is rotated, its pairs adjacent. A file for images,
// whose rotation has sections, is refused by that key.
// Source: transformers, models/glm4; llama.cpp conversion/glm.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> glm4(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  const Shape& shape = basics.shape;
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = rotated_attention(config, basics, layer);
    mixer.post_norm = layer_norm(config, shape, layer, "post_attention_norm");
    GatedMlpSpec mlp = gated_mlp(config, shape, layer);
    mlp.gate_up.segments = {segment(config, layer, "ffn_up", 2 * shape.hidden)};
    mlp.post_norm = layer_norm(config, shape, layer, "post_ffw_norm");
    return LayerSpec{.mixer = mixer, .feed_forward = mlp};
  });
}

}  // namespace cairn::models
