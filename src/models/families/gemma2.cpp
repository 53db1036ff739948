// Gemma 2: norms before and after both sublayers, every other layer windowed, scores and logits
// capped, gated tanh-GELU, embeddings times sqrt(width), tied head.
// Source: Gemma 2, arXiv 2408.00118, section 2; llama.cpp conversion/gemma.py (what is stored) and
// src/models/gemma2.cpp (what keys default to).
#include <cmath>
#include <vector>

#include "models/families/families.h"
#include "models/families/shared.h"

namespace cairn::models {
namespace {

constexpr std::size_t kGemma2Period = 2;  // a windowed layer, then a global one
constexpr std::size_t kLayersOfGemma2With27B =
    46;  // files do not state its query scale of 1/sqrt(144)

/// A cap that old files do not state.
Result<float> cap_or(Config& config, const char* name, float otherwise) {
  return config.has(name) ? config.cap(name) : Result<float>(otherwise);
}

}  // namespace

Result<DecoderSpec> gemma2(Config& config) {
  CAIRN_ASSIGN(Basics basics, read_basics(config, 10000));
  const Shape& shape = basics.shape;
  CAIRN_ASSIGN(const std::size_t window, config.count("attention.sliding_window"));
  CAIRN_ASSIGN(const std::vector<bool> windowed,
               config.pattern_or("attention.sliding_window_pattern", shape.layers, kGemma2Period));
  CAIRN_ASSIGN(const float score_cap, cap_or(config, "attn_logit_softcapping", 50));
  CAIRN_ASSIGN(basics.spec.logit_soft_cap, cap_or(config, "final_logit_softcapping", 30));
  basics.spec.embedding_scale = std::sqrt(static_cast<float>(shape.width));
  return with_layers(basics, [&](std::size_t layer) {
    AttentionSpec mixer = rotated_attention(config, basics, layer);
    mixer.soft_cap = score_cap;
    mixer.window = windowed[layer] ? window : 0;
    mixer.post_norm = layer_norm(config, shape, layer, "post_attention_norm");
    if (shape.layers == kLayersOfGemma2With27B) {
      mixer.scale = 1.0f / std::sqrt(static_cast<float>(shape.width / shape.heads));
    }
    GatedMlpSpec mlp = gated_mlp(config, shape, layer);
    mlp.activation = kernels::Activation::kGeluTanh;
    mlp.post_norm = layer_norm(config, shape, layer, "post_ffw_norm");
    return LayerSpec{.mixer = mixer, .feed_forward = mlp};
  });
}

}  // namespace cairn::models
