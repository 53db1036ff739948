// StableLM 2: LayerNorms, the front quarter of each head rotated, gated SiLU. A parallel residual
// and norms of heads (12B) are refused by name.
// Source: transformers, models/stablelm; llama.cpp conversion/stablelm.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> stablelm(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000, NormKind::kLayer));
  return with_layers(basics, [&](std::size_t layer) {
    return LayerSpec{.mixer = rotated_attention(config, basics, layer),
                     .feed_forward = gated_mlp(config, basics.shape, layer)};
  });
}

}  // namespace cairn::models
