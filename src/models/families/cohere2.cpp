// Command R7B and Command A: Command R's block; three windowed layers that are rotated, then a
// global one without positions.
// Source: transformers, models/cohere2; llama.cpp conversion/command_r.py.
#include <vector>

#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> cohere2(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000, NormKind::kLayer));
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  CAIRN_ASSIGN(const double scale, config.positive("logit_scale"));
  basics.spec.logit_scale = static_cast<float>(scale);
  CAIRN_ASSIGN(const std::size_t window, config.count("attention.sliding_window"));
  CAIRN_ASSIGN(const std::vector<bool> windowed,
               config.pattern_or("attention.sliding_window_pattern", basics.shape.layers, 4));
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = rotated_attention(config, basics, layer);
    mixer.window = windowed[layer] ? window : 0;
    if (!windowed[layer]) mixer.rope = {};
    GatedMlpSpec mlp = gated_mlp(config, basics.shape, layer);
    mlp.norm = mixer.norm;
    return LayerSpec{.mixer = mixer, .feed_forward = mlp, .parallel = true};
  });
}

}  // namespace cairn::models
