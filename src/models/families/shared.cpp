#include "models/families/shared.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace cairn::models {
namespace {

/// No kernel keeps a head wider than this; the widest in use has 576.
constexpr std::size_t kHeadDimMax = 4096;

Status check_heads(const Shape& shape) {
  if (shape.heads % shape.kv_heads != 0) {
    return invalid_file(fmt::format(
        "attention.head_count is {}, expected a multiple of attention.head_count_kv, which is {}",
        shape.heads, shape.kv_heads));
  }
  if (shape.head_dim % 2 != 0 || shape.head_dim > kHeadDimMax) {
    return invalid_file(fmt::format("attention.key_length is {}, expected an even number up to {}",
                                    shape.head_dim, kHeadDimMax));
  }
  return {};
}

Result<std::size_t> read_head_dim(Config& config, const Shape& shape) {
  if (!config.has("attention.key_length") && shape.width % shape.heads != 0) {
    return invalid_file(
        fmt::format("embedding_length is {}, expected a multiple of attention.head_count, {}, as "
                    "attention.key_length is missing",
                    shape.width, shape.heads));
  }
  CAIRN_ASSIGN(const std::size_t key,
               config.count_or("attention.key_length", shape.width / shape.heads));
  CAIRN_ASSIGN(const std::size_t value, config.count_or("attention.value_length", key));
  if (value == key) return key;
  return unsupported(
      fmt::format("attention.value_length is {} and attention.key_length is {}; "
                  "different lengths are not supported",
                  value, key));
}

Status read_linear(Config& config, RopeSpec& rope) {
  const bool old = !config.has("rope.scaling.factor");  // the key's name before 2023-09
  CAIRN_ASSIGN(rope.linear_factor,
               config.positive_or(old ? "rope.scale_linear" : "rope.scaling.factor", 1));
  return {};
}

/// The magnitude is YaRN's own, times what the file says.
Status read_yarn(Config& config, RopeSpec& rope) {
  RopeYarn yarn;
  CAIRN_ASSIGN(yarn.factor, config.positive("rope.scaling.factor"));
  CAIRN_ASSIGN(yarn.original_context, config.positive("rope.scaling.original_context_length"));
  CAIRN_ASSIGN(yarn.fast, config.positive_or("rope.scaling.yarn_beta_fast", yarn.fast));
  CAIRN_ASSIGN(yarn.slow, config.positive_or("rope.scaling.yarn_beta_slow", yarn.slow));
  CAIRN_ASSIGN(const double attention, config.positive_or("rope.scaling.attn_factor", 1));
  const double stretch = std::max(yarn.factor, 1.0);
  rope.magnitude = static_cast<float>(attention * (0.1 * math::log64(stretch) + 1));
  rope.yarn = yarn;
  if (rope.base > 1) return {};
  return invalid_file(
      fmt::format("rope.freq_base is {}, expected more than 1 as rope.scaling.type "
                  "is \"yarn\"",
                  rope.base));
}

Status read_scaling(Config& config, RopeSpec& rope) {
  CAIRN_ASSIGN(const std::string type, config.text_or("rope.scaling.type", "linear"));
  if (type == "none") return {};
  if (type == "linear") return read_linear(config, rope);
  if (type == "yarn") return read_yarn(config, rope);
  return unsupported(
      fmt::format("rope.scaling.type is \"{}\"; none, linear and yarn are supported", type));
}

/// Tensors "<name>.weight" and, of a LayerNorm, "<name>.bias".
NormSpec norm_named(const Config& config, const Shape& shape, const std::string& name) {
  NormSpec spec{
      .tensor = name + ".weight", .size = shape.width, .eps = shape.eps, .centred = shape.centred};
  if (shape.centred) spec.bias = config.tensor_or_none(name + ".bias");
  return spec;
}

}  // namespace

Result<Shape> read_shape(Config& config, NormKind norms) {
  Shape shape;
  CAIRN_ASSIGN(shape.layers, config.count("block_count"));
  CAIRN_ASSIGN(shape.width, config.count("embedding_length"));
  CAIRN_ASSIGN(shape.hidden, config.count("feed_forward_length"));
  CAIRN_ASSIGN(shape.heads, config.count("attention.head_count"));
  CAIRN_ASSIGN(shape.kv_heads, config.count_or("attention.head_count_kv", shape.heads));
  CAIRN_ASSIGN(shape.head_dim, read_head_dim(config, shape));
  CAIRN_ASSIGN(shape.context_length, config.count("context_length"));
  shape.centred = norms == NormKind::kLayer;
  CAIRN_ASSIGN(const double eps,
               config.positive(shape.centred ? "attention.layer_norm_epsilon"
                                             : "attention.layer_norm_rms_epsilon"));
  shape.eps = static_cast<float>(eps);
  CAIRN_TRY(check_heads(shape));
  if (shape.layers <= config.tensor_count()) return shape;
  return invalid_file(fmt::format("block_count is {} but the file has only {} tensors",
                                  shape.layers, config.tensor_count()));
}

Result<RopeSpec> read_rope(Config& config, const Shape& shape, double base) {
  RopeSpec rope;
  CAIRN_ASSIGN(rope.base, config.positive_or("rope.freq_base", base));
  CAIRN_ASSIGN(rope.dims, config.count_or("rope.dimension_count", shape.head_dim));
  CAIRN_TRY(read_scaling(config, rope));
  if (rope.dims % 2 == 0 && rope.dims <= shape.head_dim) return rope;
  return invalid_file(
      fmt::format("rope.dimension_count is {}, expected an even number up to the head's {}",
                  rope.dims, shape.head_dim));
}

Result<DecoderSpec> read_ends(Config& config, const Shape& shape) {
  DecoderSpec spec;
  spec.width = shape.width;
  spec.context_length = shape.context_length;
  spec.embedding = "token_embd.weight";
  CAIRN_ASSIGN(spec.vocabulary, config.vocabulary(spec.embedding));
  spec.final_norm = norm_named(config, shape, "output_norm");
  spec.head = config.tensor_or_none("output.weight");
  return spec;
}

Result<Basics> read_basics(Config& config, double rope_base, NormKind norms) {
  Basics basics;
  CAIRN_ASSIGN(basics.shape, read_shape(config, norms));
  CAIRN_ASSIGN(basics.spec, read_ends(config, basics.shape));
  CAIRN_ASSIGN(basics.rope, read_rope(config, basics.shape, rope_base));
  return basics;
}

NormSpec layer_norm(const Config& config, const Shape& shape, std::size_t layer, const char* name) {
  return norm_named(config, shape, fmt::format("blk.{}.{}", layer, name));
}

SegmentSpec segment(const Config& config, std::size_t layer, const char* name, std::size_t rows) {
  return {.weight = fmt::format("blk.{}.{}.weight", layer, name),
          .bias = config.tensor_or_none(fmt::format("blk.{}.{}.bias", layer, name)),
          .rows = rows};
}

AttentionSpec attention(const Config& config, const Shape& shape, std::size_t layer) {
  const std::size_t q_rows = shape.heads * shape.head_dim;
  const std::size_t kv_rows = shape.kv_heads * shape.head_dim;
  AttentionSpec spec{.heads = shape.heads, .kv_heads = shape.kv_heads, .head_dim = shape.head_dim};
  spec.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim));
  spec.norm = layer_norm(config, shape, layer, "attn_norm");
  spec.qkv = {.segments = {segment(config, layer, "attn_q", q_rows),
                           segment(config, layer, "attn_k", kv_rows),
                           segment(config, layer, "attn_v", kv_rows)},
              .cols = shape.width};
  spec.out = {.segments = {segment(config, layer, "attn_output", shape.width)}, .cols = q_rows};
  return spec;
}

AttentionSpec rotated_attention(const Config& config, const Basics& basics, std::size_t layer) {
  AttentionSpec spec = attention(config, basics.shape, layer);
  spec.rope = basics.rope;
  return spec;
}

AttentionSpec attention_of_normed_heads(const Config& config, const Basics& basics,
                                        std::size_t layer) {
  AttentionSpec spec = rotated_attention(config, basics, layer);
  spec.q_norm = layer_norm(config, basics.shape, layer, "attn_q_norm");
  spec.k_norm = layer_norm(config, basics.shape, layer, "attn_k_norm");
  spec.q_norm.size = spec.k_norm.size = basics.shape.head_dim;
  return spec;
}

MlpSpec mlp(const Config& config, const Shape& shape, std::size_t layer) {
  MlpSpec spec{.hidden = shape.hidden};
  spec.norm = layer_norm(config, shape, layer, "ffn_norm");
  spec.up = {.segments = {segment(config, layer, "ffn_up", shape.hidden)}, .cols = shape.width};
  spec.down = {.segments = {segment(config, layer, "ffn_down", shape.width)}, .cols = shape.hidden};
  return spec;
}

GatedMlpSpec gated_mlp(const Config& config, const Shape& shape, std::size_t layer) {
  GatedMlpSpec spec{.hidden = shape.hidden};
  spec.norm = layer_norm(config, shape, layer, "ffn_norm");
  spec.gate_up = {.segments = {segment(config, layer, "ffn_gate", shape.hidden),
                               segment(config, layer, "ffn_up", shape.hidden)},
                  .cols = shape.width};
  spec.down = {.segments = {segment(config, layer, "ffn_down", shape.width)}, .cols = shape.hidden};
  return spec;
}

}  // namespace cairn::models
