// Gemma: gated tanh-GELU, embeddings times sqrt(width), tied head. Files store norm weights with
// Gemma's 1 already added.
// Source: Gemma, arXiv 2403.08295, section 2; llama.cpp conversion/gemma.py.
#include <cmath>

#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> gemma(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  basics.spec.embedding_scale = std::sqrt(static_cast<float>(basics.shape.width));
  return with_layers(basics, [&](std::size_t layer) {
    GatedMlpSpec mlp = gated_mlp(config, basics.shape, layer);
    mlp.activation = kernels::Activation::kGeluTanh;
    return LayerSpec{.mixer = rotated_attention(config, basics, layer), .feed_forward = mlp};
  });
}

}  // namespace cairn::models
