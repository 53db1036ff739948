// Llama: pre-norm RMSNorm, grouped-query attention, gated SiLU. Files keep the rows of queries and
// keys permuted, so that the pairs of the rotation are adjacent; "rope_freqs.weight" divides the
// frequencies (Llama 3.1).
// Source: Touvron et al. 2023, arXiv 2302.13971, section 2.2; Llama 3, arXiv 2407.21783, section
// 3.2; llama.cpp conversion/llama.py (permutation, frequency divisors).
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> llama(Config& config) {
  CAIRN_ASSIGN(const Shape shape, read_shape(config));
  CAIRN_ASSIGN(DecoderSpec spec, read_ends(config, shape));
  CAIRN_ASSIGN(RopeSpec rope, read_rope(config, shape, 10000));
  rope.pairs = kernels::RopePairs::kAdjacent;
  rope.factors_tensor = config.tensor_or_none("rope_freqs.weight");
  CAIRN_ASSIGN(const std::size_t window, config.count_or_none("attention.sliding_window"));
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    AttentionSpec mixer = attention(config, shape, layer);
    mixer.rope = rope;
    mixer.window = window;
    spec.layers.push_back({.mixer = mixer, .feed_forward = gated_mlp(config, shape, layer)});
  }
  return spec;
}

}  // namespace cairn::models
