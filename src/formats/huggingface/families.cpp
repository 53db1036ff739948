// The families and their names (a table, longer than other files). Adding one: its row in
// kHuggingfaceFamilies, and tables of its own where its names are.
#include "formats/huggingface/families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "formats/quote.h"

namespace cairn::formats {
namespace {

constexpr KeyRow kSharedKeys[] = {
    {.hf = "hidden_size", .key = "embedding_length"},
    {.hf = "num_hidden_layers", .key = "block_count"},
    {.hf = "intermediate_size", .key = "feed_forward_length"},
    {.hf = "num_attention_heads", .key = "attention.head_count"},
    {.hf = "num_key_value_heads", .key = "attention.head_count_kv"},
    {.hf = "max_position_embeddings", .key = "context_length"},
    {.hf = "vocab_size", .key = "vocab_size"},
    {.hf = "rms_norm_eps", .key = "attention.layer_norm_rms_epsilon", .kind = KeyKind::kReal},
};

constexpr NameRow kSharedNames[] = {
    {"model.embed_tokens", "token_embd"},
    {"model.norm", "output_norm"},
    {"lm_head", "output"},
    {"model.layers.{}.input_layernorm", "blk.{}.attn_norm"},
    {"model.layers.{}.post_attention_layernorm", "blk.{}.ffn_norm"},
    {"model.layers.{}.self_attn.q_proj", "blk.{}.attn_q"},
    {"model.layers.{}.self_attn.k_proj", "blk.{}.attn_k"},
    {"model.layers.{}.self_attn.v_proj", "blk.{}.attn_v"},
    {"model.layers.{}.self_attn.o_proj", "blk.{}.attn_output"},
    {"model.layers.{}.self_attn.q_norm", "blk.{}.attn_q_norm"},
    {"model.layers.{}.self_attn.k_norm", "blk.{}.attn_k_norm"},
    {"model.layers.{}.mlp.gate_proj", "blk.{}.ffn_gate"},
    {"model.layers.{}.mlp.up_proj", "blk.{}.ffn_up"},
    {"model.layers.{}.mlp.down_proj", "blk.{}.ffn_down"},
};

constexpr KeyRow kSilu[] = {{.hf = "hidden_act", .kind = KeyKind::kText, .expected = "silu"}};

// Gemma keeps its norms less 1, and has four to a layer.
constexpr NameRow kGemma3Names[] = {
    {"model.norm", "output_norm", Change::kPlusOne},
    {"model.layers.{}.input_layernorm", "blk.{}.attn_norm", Change::kPlusOne},
    {"model.layers.{}.post_attention_layernorm", "blk.{}.post_attention_norm", Change::kPlusOne},
    {"model.layers.{}.pre_feedforward_layernorm", "blk.{}.ffn_norm", Change::kPlusOne},
    {"model.layers.{}.post_feedforward_layernorm", "blk.{}.post_ffw_norm", Change::kPlusOne},
    {"model.layers.{}.self_attn.q_norm", "blk.{}.attn_q_norm", Change::kPlusOne},
    {"model.layers.{}.self_attn.k_norm", "blk.{}.attn_k_norm", Change::kPlusOne},
};
constexpr KeyRow kGemma3Keys[] = {
    {.hf = "hidden_activation", .kind = KeyKind::kText, .expected = "gelu_pytorch_tanh"},
    {.hf = "hidden_act", .kind = KeyKind::kText, .expected = "gelu_pytorch_tanh"},
    {.hf = "rope_local_base_freq", .key = "rope.freq_base_swa", .kind = KeyKind::kReal},
    {.hf = "final_logit_softcapping", .key = "final_logit_softcapping", .kind = KeyKind::kReal},
    {.hf = "attn_logit_softcapping", .key = "attn_logit_softcapping", .kind = KeyKind::kReal},
};

constexpr NameRow kGemmaNames[] = {
    {"model.norm", "output_norm", Change::kPlusOne},
    {"model.layers.{}.input_layernorm", "blk.{}.attn_norm", Change::kPlusOne},
    {"model.layers.{}.post_attention_layernorm", "blk.{}.ffn_norm", Change::kPlusOne},
};
constexpr KeyRow kGraniteKeys[] = {
    {.hf = "hidden_act", .kind = KeyKind::kText, .expected = "silu"},
    {.hf = "attention_multiplier", .key = "attention.scale", .kind = KeyKind::kReal},
    {.hf = "embedding_multiplier", .key = "embedding_scale", .kind = KeyKind::kReal},
    {.hf = "residual_multiplier", .key = "residual_scale", .kind = KeyKind::kReal},
    {.hf = "logits_scaling", .key = "logit_scale", .kind = KeyKind::kReal},
};
// Norms behind the sublayers alone.
constexpr NameRow kBehindNames[] = {
    {"model.layers.{}.post_attention_layernorm", "blk.{}.post_attention_norm"},
    {"model.layers.{}.post_feedforward_layernorm", "blk.{}.post_ffw_norm"},
};
constexpr NameRow kSeedOssNames[] = {
    {"model.layers.{}.post_attention_layernorm", "blk.{}.post_attention_norm"},
};
constexpr NameRow kHunyuanNames[] = {
    {"model.layers.{}.self_attn.query_layernorm", "blk.{}.attn_q_norm"},
    {"model.layers.{}.self_attn.key_layernorm", "blk.{}.attn_k_norm"},
};
constexpr NameRow kPhi3Names[] = {
    {"model.layers.{}.self_attn.qkv_proj", "blk.{}.attn_qkv"},
    {"model.layers.{}.mlp.gate_up_proj", "blk.{}.ffn_up"},
};

/// A list of layer kinds that says no more than that all are alike.
Status check_full_layers(FamilyConfig& family) {
  const Json* kinds = family.config.find("layer_types");
  if (kinds == nullptr) return {};
  for (const Json& kind : *kinds) {
    if (kind == "full_attention") continue;
    return unsupported(family.config.refuse("layer_types", "full_attention alone").message());
  }
  return {};
}

/// Every fourth layer is without positions.
Status finish_smollm3(FamilyConfig& family) {
  ConfigJson& config = family.config;
  CAIRN_ASSIGN(const std::uint64_t interval, config.count_or("no_rope_layer_interval", 4));
  const Json* list = config.find("no_rope_layers");
  bool is_usual = interval == 4;
  for (std::size_t i = 0; list != nullptr && i < list->size() && is_usual; ++i) {
    is_usual = list->is_array() && (*list)[i] == ((i + 1) % 4 == 0 ? 0 : 1);
  }
  if (is_usual) return check_full_layers(family);
  return unsupported(
      config.refuse("no_rope_layers", "1, 1, 1, 0 and so on, with an interval of 4,").message());
}

/// Phi-3 names the context that its long form was made from; short ones have no use for it.
Status finish_phi3(FamilyConfig& family) {
  family.config.find("original_max_position_embeddings");
  return check_full_layers(family);
}

/// Which layers look through the window: a list of kinds in new files, a period in old ones.
Status translate_layer_kinds(FamilyConfig& family) {
  ConfigJson& config = family.config;
  const char* period =
      config.has("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
  const std::string key = family.key("attention.sliding_window_pattern");
  const Json* kinds = config.find("layer_types");
  if (config.find(period) != nullptr && kinds == nullptr) {
    CAIRN_ASSIGN(const std::uint64_t layers, config.count(period));
    family.metadata.set(key, layers);
  }
  if (kinds == nullptr) return {};
  if (!kinds->is_array()) return config.refuse("layer_types", "a list of strings");
  std::vector<bool> windowed;
  for (const Json& kind : *kinds) {
    if (kind != "sliding_attention" && kind != "full_attention") {
      return config.refuse("layer_types", "a list of sliding_attention and full_attention");
    }
    windowed.push_back(kind == "sliding_attention");
  }
  family.metadata.set(key, array_of(windowed));
  return {};
}

/// Queries are scaled by 1/sqrt of this; families read the length of a head, but for 27B.
Status check_query_scale(FamilyConfig& family) {
  ConfigJson& config = family.config;
  if (config.find("query_pre_attn_scalar") == nullptr) return {};
  // Gemma 2 and 3 have one size each whose queries are scaled by the width of a head's share.
  const std::uint64_t of_27b = family.gguf == "gemma2" ? 46 : 62;
  CAIRN_ASSIGN(const double scalar, config.real("query_pre_attn_scalar"));
  CAIRN_ASSIGN(const std::uint64_t layers, config.count("num_hidden_layers"));
  CAIRN_ASSIGN(const std::uint64_t heads, config.count("num_attention_heads"));
  CAIRN_ASSIGN(const std::uint64_t width, config.count("hidden_size"));
  CAIRN_ASSIGN(const std::uint64_t head, config.count_or("head_dim", 256));
  const std::uint64_t expected = layers == of_27b && heads > 0 ? width / heads : head;
  if (scalar == static_cast<double>(expected)) return {};
  return unsupported(config.refuse("query_pre_attn_scalar", std::to_string(expected)).message());
}

Status finish_gemma3(FamilyConfig& family) {
  CAIRN_TRY(translate_layer_kinds(family));
  return check_query_scale(family);
}

constexpr HuggingfaceFamily kHuggingfaceFamilies[] = {
    {.architecture = "LlamaForCausalLM", .gguf = "llama", .keys = kSilu, .is_paired = true},
    {.architecture = "MistralForCausalLM", .gguf = "llama", .keys = kSilu, .is_paired = true},
    {.architecture = "Gemma3ForCausalLM",
     .gguf = "gemma3",
     .keys = kGemma3Keys,
     .names = kGemma3Names,
     .finish = &finish_gemma3},
    {.architecture = "GemmaForCausalLM",
     .gguf = "gemma",
     .keys = kGemma3Keys,
     .names = kGemmaNames,
     .finish = &check_full_layers},
    {.architecture = "Gemma2ForCausalLM",
     .gguf = "gemma2",
     .keys = kGemma3Keys,
     .names = kGemma3Names,
     .finish = &finish_gemma3},
    {.architecture = "Qwen2ForCausalLM",
     .gguf = "qwen2",
     .keys = kSilu,
     .finish = &check_full_layers},
    {.architecture = "Qwen3ForCausalLM",
     .gguf = "qwen3",
     .keys = kSilu,
     .finish = &check_full_layers},
    {.architecture = "SmolLM3ForCausalLM",
     .gguf = "smollm3",
     .keys = kSilu,
     .is_paired = true,
     .finish = &finish_smollm3},
    {.architecture = "GraniteForCausalLM",
     .gguf = "granite",
     .keys = kGraniteKeys,
     .is_paired = true,
     .finish = &check_full_layers},
    {.architecture = "SeedOssForCausalLM",
     .gguf = "seed_oss",
     .keys = kSilu,
     .names = kSeedOssNames,
     .finish = &check_full_layers},
    {.architecture = "Ernie4_5ForCausalLM",
     .gguf = "ernie4_5",
     .keys = kSilu,
     .finish = &check_full_layers},
    {.architecture = "HunYuanDenseV1ForCausalLM",
     .gguf = "hunyuan-dense",
     .keys = kSilu,
     .names = kHunyuanNames,
     .finish = &check_full_layers},
    {.architecture = "Exaone4ForCausalLM",
     .gguf = "exaone4",
     .keys = kSilu,
     .names = kBehindNames,
     .finish = &translate_layer_kinds},
    {.architecture = "Olmo2ForCausalLM",
     .gguf = "olmo2",
     .keys = kSilu,
     .names = kBehindNames,
     .finish = &check_full_layers},
    {.architecture = "Olmo3ForCausalLM",
     .gguf = "olmo2",
     .keys = kSilu,
     .names = kBehindNames,
     .finish = &translate_layer_kinds},
    {.architecture = "Phi3ForCausalLM",
     .gguf = "phi3",
     .keys = kSilu,
     .names = kPhi3Names,
     .finish = &finish_phi3},
};

/// Characters at the front that both have.
std::size_t common_prefix(std::string_view a, std::string_view b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(in_a - a.begin());
}

}  // namespace

std::span<const HuggingfaceFamily> huggingface_families() { return kHuggingfaceFamilies; }
std::span<const KeyRow> shared_keys() { return kSharedKeys; }
std::span<const NameRow> shared_names() { return kSharedNames; }

Result<const HuggingfaceFamily*> find_huggingface_family(std::string_view architecture) {
  const HuggingfaceFamily* nearest = &kHuggingfaceFamilies[0];
  for (const HuggingfaceFamily& family : kHuggingfaceFamilies) {
    if (family.architecture == architecture) return &family;
    if (common_prefix(family.architecture, architecture) >
        common_prefix(nearest->architecture, architecture)) {
      nearest = &family;
    }
  }
  std::vector<std::string_view> known;
  for (const HuggingfaceFamily& family : kHuggingfaceFamilies) known.push_back(family.architecture);
  return unsupported(fmt::format(
      "architectures names \"{}\", which this version does not run; the nearest it runs is {}, and "
      "all are {}",
      printable(architecture), nearest->architecture, fmt::join(known, ", ")));
}

}  // namespace cairn::formats
