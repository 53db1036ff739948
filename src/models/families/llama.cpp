// Llama: pre-norm RMSNorm, grouped-query attention, gated SiLU. Files keep the rows of queries and
// keys permuted, so that the pairs of the rotation are adjacent; "rope_freqs.weight" divides the
// frequencies (Llama 3.1).
// Source: Touvron et al. 2023, arXiv 2302.13971, section 2.2; Llama 3, arXiv 2407.21783, section
// 3.2; llama.cpp conversion/llama.py (permutation, frequency divisors).
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> llama(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  basics.rope.pairs = kernels::RopePairs::kAdjacent;
  basics.rope.factors_tensor = config.tensor_or_none("rope_freqs.weight");
  CAIRN_ASSIGN(const std::size_t window, config.count_or_none("attention.sliding_window"));
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = rotated_attention(config, basics, layer);
    mixer.window = window;
    return LayerSpec{.mixer = mixer, .feed_forward = gated_mlp(config, basics.shape, layer)};
  });
}

}  // namespace cairn::models
