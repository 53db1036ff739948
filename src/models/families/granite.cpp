// Granite, dense: Llama's block with constants for the embedding, the scores, what is added to the
// residual stream, and the logits (which are divided by theirs).
// Source: transformers, models/granite; llama.cpp conversion/granite.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> granite(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  CAIRN_ASSIGN(const double embedding, config.positive_or("embedding_scale", 1));
  CAIRN_ASSIGN(const double residual, config.positive_or("residual_scale", 1));
  CAIRN_ASSIGN(const double logits, config.positive_or("logit_scale", 1));
  CAIRN_ASSIGN(const double scores, config.positive_or("attention.scale", 1));
  const bool scaled = config.has("attention.scale");
  basics.spec.embedding_scale = static_cast<float>(embedding);
  basics.spec.logit_scale = static_cast<float>(1 / logits);
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = rotated_attention(config, basics, layer);
    if (scaled) mixer.scale = static_cast<float>(scores);
    GatedMlpSpec mlp = gated_mlp(config, basics.shape, layer);
    mixer.residual_scale = mlp.residual_scale = static_cast<float>(residual);
    return LayerSpec{.mixer = mixer, .feed_forward = mlp};
  });
}

}  // namespace cairn::models
