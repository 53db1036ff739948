// Phi-3 and Phi-4: queries, keys and values are one matrix, gates and ups another; the front of
// each head is rotated (all of it in Phi-3). Long contexts by two tables of divisors are not built:
// a file that has them ("rope_factors_long") is refused by that name. Source: Abdin et al. 2024,
// arXiv 2404.14219, section 2; llama.cpp conversion/phi.py.
#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {

Result<DecoderSpec> phi3(Config& config) {
  CAIRN_ASSIGN(const Basics basics, read_basics(config, 10000));
  const Shape& shape = basics.shape;
  CAIRN_ASSIGN(const std::size_t window, config.count_or_none("attention.sliding_window"));
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = rotated_attention(config, basics, layer);
    mixer.window = window;
    const std::size_t rows = (shape.heads + 2 * shape.kv_heads) * shape.head_dim;
    mixer.qkv.segments = {segment(config, layer, "attn_qkv", rows)};
    GatedMlpSpec mlp = gated_mlp(config, shape, layer);
    mlp.gate_up.segments = {segment(config, layer, "ffn_up", 2 * shape.hidden)};
    return LayerSpec{.mixer = mixer, .feed_forward = mlp};
  });
}

}  // namespace cairn::models
