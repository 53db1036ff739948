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

/// Which layers look through the window: a list of kinds in new files, a period in old ones.
Status translate_layer_kinds(FamilyConfig& family) {
  ConfigJson& config = family.config;
  const char* period =
      config.has("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
  const std::string key = family.key("attention.sliding_window_pattern");
  const Json* kinds = config.find("layer_types");
  if (config.find(period) != nullptr) {
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
  constexpr std::uint64_t kLayersOf27B = 62;
  CAIRN_ASSIGN(const double scalar, config.real("query_pre_attn_scalar"));
  CAIRN_ASSIGN(const std::uint64_t layers, config.count("num_hidden_layers"));
  CAIRN_ASSIGN(const std::uint64_t heads, config.count("num_attention_heads"));
  CAIRN_ASSIGN(const std::uint64_t width, config.count("hidden_size"));
  CAIRN_ASSIGN(const std::uint64_t head, config.count_or("head_dim", 256));
  const std::uint64_t expected = layers == kLayersOf27B && heads > 0 ? width / heads : head;
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
