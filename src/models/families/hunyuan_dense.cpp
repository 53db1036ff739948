// Hunyuan, dense: Llama's block; queries and keys are normed per head after they are rotated.
// Source: transformers, models/hunyuan_v1_dense; llama.cpp conversion/hunyuan.py (the base of the
// rotation is stored with its alpha in it).
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> hunyuan_dense(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000));
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = attention_of_normed_heads(config, basics, layer);
    mixer.head_norms = kernels::HeadNorms::kEachRotated;
    return LayerSpec{.mixer = mixer, .feed_forward = gated_mlp(config, basics.shape, layer)};
  });
}

}  // namespace cairn::models
