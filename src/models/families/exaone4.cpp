// EXAONE 4: norms only after the sublayers, queries and keys normed per head; where there are
// windowed layers (three, then a global one), the global ones have no positions.
// Source: Exaone 4.0, arXiv 2507.11407, section 2; llama.cpp conversion/exaone.py.
#include <vector>

#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> exaone4(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  const Shape& shape = basics.shape;
  basics.rope.factors_tensor = config.tensor_or_none("rope_freqs.weight");
  CAIRN_ASSIGN(const std::size_t window, config.count_or_none("attention.sliding_window"));
  CAIRN_ASSIGN(const std::vector<bool> windowed,
               config.pattern_or("attention.sliding_window_pattern", shape.layers, 4));
  return with_layers(basics, [&](std::size_t layer) {
    const bool global = window > 0 && !windowed[layer];
    AttentionSpec mixer = attention_of_normed_heads(config, basics, layer);
    mixer.norm = {};
    mixer.post_norm = layer_norm(config, shape, layer, "post_attention_norm");
    mixer.window = global ? 0 : window;
    if (global) mixer.rope = {};
    GatedMlpSpec mlp = gated_mlp(config, shape, layer);
    mlp.norm = {};
    mlp.post_norm = layer_norm(config, shape, layer, "post_ffw_norm");
    return LayerSpec{.mixer = mixer, .feed_forward = mlp};
  });
}

}  // namespace cairn::models
