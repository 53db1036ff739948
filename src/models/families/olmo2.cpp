// OLMo 2 and 3: norms only after the sublayers; queries and keys are normed over all heads
// together. OLMo 3: three windowed layers, then a global one, and only the latter's rotation is
// scaled.
// Source: OLMo 2, arXiv 2501.00656, section 3; transformers, models/olmo3; llama.cpp
// conversion/olmo.py.
#include <vector>

#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> olmo2(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000));
  const Shape& shape = basics.shape;
  CAIRN_ASSIGN(const std::size_t window, config.count_or_none("attention.sliding_window"));
  CAIRN_ASSIGN(const std::vector<bool> windowed,
               config.pattern_or("attention.sliding_window_pattern", shape.layers, 4));
  RopeSpec local = {.dims = basics.rope.dims};
  CAIRN_ASSIGN(local.base, config.positive_or("rope.freq_base_swa", basics.rope.base));
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = attention_of_normed_heads(config, basics, layer);
    mixer.head_norms = kernels::HeadNorms::kAll;
    mixer.q_norm.size = shape.heads * shape.head_dim;
    mixer.k_norm.size = shape.kv_heads * shape.head_dim;
    mixer.norm = {};
    mixer.post_norm = layer_norm(config, shape, layer, "post_attention_norm");
    if (window > 0 && windowed[layer]) {
      mixer.window = window;
      mixer.rope = local;
    }
    GatedMlpSpec mlp = gated_mlp(config, shape, layer);
    mlp.norm = {};
    mlp.post_norm = layer_norm(config, shape, layer, "post_ffw_norm");
    return LayerSpec{.mixer = mixer, .feed_forward = mlp};
  });
}

}  // namespace cairn::models
