// Nemotron 4 and Minitron: LayerNorms whose 1 is already added, the front half of each head
// rotated, plain feed-forward of squared ReLU. Source: Nemotron-4, arXiv 2402.16819, section 2;
// llama.cpp conversion/nemotron.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> nemotron(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000, NormKind::kLayer));
  // Converters state the same number once more.
  CAIRN_TRY(config.positive_or("attention.layer_norm_rms_epsilon", 1).status());
  return with_layers(basics, [&](std::size_t layer) {
    MlpSpec feed_forward = mlp(config, basics.shape, layer);
    feed_forward.activation = kernels::Activation::kReluSquared;
    return LayerSpec{.mixer = rotated_attention(config, basics, layer),
                     .feed_forward = feed_forward};
  });
}

}  // namespace cairn::models
