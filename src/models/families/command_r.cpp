// Command R: one LayerNorm without bias, attention and feed-forward beside each other, adjacent
// pairs, logits times a constant, tied head. Norms of queries and keys (Command R+) are not built:
// their tensors are refused by name.
// Source: transformers, models/cohere; llama.cpp conversion/command_r.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> command_r(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000, NormKind::kLayer));
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  CAIRN_ASSIGN(const double scale, config.positive("logit_scale"));
  basics.spec.logit_scale = static_cast<float>(scale);
  return with_layers(basics, [&](std::size_t layer) {
    const AttentionSpec mixer = rotated_attention(config, basics, layer);
    GatedMlpSpec mlp = gated_mlp(config, basics.shape, layer);
    mlp.norm = mixer.norm;
    return LayerSpec{.mixer = mixer, .feed_forward = mlp, .parallel = true};
  });
}

}  // namespace cairn::models
