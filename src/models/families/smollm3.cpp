// SmolLM3: Llama's block; every fourth layer has no positions.
// Source: transformers, models/smollm3 (no_rope_layers); llama.cpp conversion/llama.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> smollm3(Config& config) {
  constexpr std::size_t kPeriod = 4;
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = rotated_attention(config, basics, layer);
    if (layer % kPeriod + 1 == kPeriod) mixer.rope = {};
    return LayerSpec{.mixer = mixer, .feed_forward = gated_mlp(config, basics.shape, layer)};
  });
}

}  // namespace cairn::models
