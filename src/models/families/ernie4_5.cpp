// ERNIE 4.5, dense: Llama's block; the pairs of the rotation are adjacent by its own definition, so
// that no row is permuted.
// Source: transformers, models/ernie4_5; llama.cpp conversion/ernie.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> ernie4_5(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  return with_layers(basics, [&](std::size_t layer) {
    return LayerSpec{.mixer = rotated_attention(config, basics, layer),
                     .feed_forward = gated_mlp(config, basics.shape, layer)};
  });
}

}  // namespace cairn::models
