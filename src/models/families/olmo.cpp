// OLMo 1: LayerNorms without weights, adjacent pairs. Clamped queries, keys and values are refused
// by name.
// Source: Groeneveld et al. 2024, arXiv 2402.00838, section 2.1; llama.cpp conversion/olmo.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> olmo(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000, NormKind::kLayer));
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  basics.spec.final_norm.tensor.clear();
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = rotated_attention(config, basics, layer);
    GatedMlpSpec mlp = gated_mlp(config, basics.shape, layer);
    mixer.norm.tensor.clear();
    mlp.norm.tensor.clear();
    return LayerSpec{.mixer = mixer, .feed_forward = mlp};
  });
}

}  // namespace cairn::models
