// StarCoder2: LayerNorms and projections with biases, plain feed-forward of tanh-GELU. The window
// of its smaller models covers their whole context, and files do not state it. Source: Lozhkov et
// al. 2024, arXiv 2402.19173, section 5; llama.cpp conversion/starcoder.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> starcoder2(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000, NormKind::kLayer));
  return with_layers(basics, [&](std::size_t layer) {
    return LayerSpec{.mixer = rotated_attention(config, basics, layer),
                     .feed_forward = mlp(config, basics.shape, layer)};
  });
}

}  // namespace cairn::models
