// Gemma 3: norms before and after both sublayers, queries and keys normed per head, five windowed
// layers to one global layer with a rotary base each, gated tanh-GELU, embeddings times
// sqrt(width), tied head. Files store norm weights with Gemma's 1 already added.
// Source: Gemma 3 technical report, arXiv 2503.19786, section 2; llama.cpp conversion/gemma.py
// (what is stored) and src/models/gemma3.cpp (what keys default to).
#include <cmath>
#include <vector>

#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {
namespace {

constexpr std::size_t kPeriod = 6;  // five windowed layers, then a global one
constexpr double kGlobalBase = 1000000;
constexpr double kLocalBase = 10000;
constexpr std::size_t kLayersOf27B = 62;  // files do not state its query scale of 1/sqrt(168)

/// Rotary of windowed and of global layers; only the latter is scaled for long contexts.
struct Ropes {
  RopeSpec local;
  RopeSpec global;
};

Result<Ropes> read_ropes(Config& config, const Shape& shape) {
  Ropes ropes;
  CAIRN_ASSIGN(ropes.global, read_rope(config, shape, kGlobalBase));
  ropes.local = {.dims = ropes.global.dims};
  CAIRN_ASSIGN(ropes.local.base, config.positive_or("rope.freq_base_swa", kLocalBase));
  return ropes;
}

AttentionSpec normed_attention(const Config& config, const Shape& shape, std::size_t layer) {
  AttentionSpec spec = attention(config, shape, layer);
  spec.q_norm = layer_norm(config, shape, layer, "attn_q_norm");
  spec.k_norm = layer_norm(config, shape, layer, "attn_k_norm");
  spec.q_norm.size = spec.k_norm.size = shape.head_dim;
  spec.post_norm = layer_norm(config, shape, layer, "post_attention_norm");
  if (shape.layers == kLayersOf27B) {
    const std::size_t width_per_head = shape.width / shape.heads;
    spec.scale = 1.0f / std::sqrt(static_cast<float>(width_per_head));
  }
  return spec;
}

GatedMlpSpec normed_mlp(const Config& config, const Shape& shape, std::size_t layer) {
  GatedMlpSpec spec = gated_mlp(config, shape, layer);
  spec.activation = kernels::Activation::kGeluTanh;
  spec.post_norm = layer_norm(config, shape, layer, "post_ffw_norm");
  return spec;
}

}  // namespace

Result<DecoderSpec> gemma3(Config& config) {
  CAIRN_ASSIGN(const Shape shape, read_shape(config));
  CAIRN_ASSIGN(DecoderSpec spec, read_ends(config, shape));
  CAIRN_ASSIGN(const Ropes ropes, read_ropes(config, shape));
  CAIRN_ASSIGN(const std::size_t window, config.count_or_none("attention.sliding_window"));
  CAIRN_ASSIGN(const std::vector<bool> windowed,
               config.pattern_or("attention.sliding_window_pattern", shape.layers, kPeriod));
  CAIRN_ASSIGN(spec.logit_soft_cap, config.cap("final_logit_softcapping"));
  spec.embedding_scale = std::sqrt(static_cast<float>(shape.width));
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    AttentionSpec mixer = normed_attention(config, shape, layer);
    const bool local = window > 0 && windowed[layer];
    mixer.rope = local ? ropes.local : ropes.global;
    mixer.window = local ? window : 0;
    spec.layers.push_back({.mixer = mixer, .feed_forward = normed_mlp(config, shape, layer)});
  }
  return spec;
}

}  // namespace cairn::models
