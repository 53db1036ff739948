// Arcee (AFM): Llama's attention, plain feed-forward of squared ReLU.
// Source: transformers, models/arcee; llama.cpp conversion/llama.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> arcee(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  basics.rope.factors_tensor = config.tensor_or_none("rope_freqs.weight");
  return with_layers(basics, [&](std::size_t layer) {
    MlpSpec feed_forward = mlp(config, basics.shape, layer);
    feed_forward.activation = kernels::Activation::kReluSquared;
    return LayerSpec{.mixer = rotated_attention(config, basics, layer),
                     .feed_forward = feed_forward};
  });
}

}  // namespace cairn::models
