// Seed-OSS: Qwen2's block. The norm before the feed-forward stands under the name of a norm after
// attention.
// Source: transformers, models/seed_oss; llama.cpp conversion/olmo.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> seed_oss(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000));
  return with_layers(basics, [&](std::size_t layer) {
    GatedMlpSpec mlp = gated_mlp(config, basics.shape, layer);
    mlp.norm = layer_norm(config, basics.shape, layer, "post_attention_norm");
    return LayerSpec{.mixer = rotated_attention(config, basics, layer), .feed_forward = mlp};
  });
}

}  // namespace cairn::models
