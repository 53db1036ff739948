#include "formats/huggingface/keys.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/math.h"

namespace cairn::formats {
namespace {

/// Keys that cannot change what the model computes: how it was trained, how transformers runs it.
constexpr std::string_view kHarmlessConfig[] = {
    "_attn_implementation_autoset",
    "_name_or_path",
    "architectures",
    "attention_dropout",
    "attn_pdrop",
    "auto_map",
    "bos_token_id",
    "cache_implementation",
    "chunk_size_feed_forward",
    "decoder_start_token_id",
    "dtype",
    "embd_pdrop",
    "eos_token_id",
    "gradient_checkpointing",
    "hidden_dropout",
    "id2label",
    "initializer_range",
    "is_llama_config",
    "label2id",
    "model_type",
    "output_attentions",
    "output_hidden_states",
    "pad_token_id",
    "pretraining_tp",
    "problem_type",
    "resid_pdrop",
    "residual_dropout",
    "eod_token_id",
    "return_dict",
    "sep_token_id",
    "tokenizer_class",
    "torch_dtype",
    "torchscript",
    "transformers.js_config",
    "transformers_version",
    "unsloth_fixed",
    "unsloth_version",
    "use_bfloat16",
    "use_cache",
    // Biases are where the tensors are.
    "attention_bias",
    "attention_out_bias",
    "mlp_bias",
    "qkv_bias",
    "use_bias",
};

constexpr std::uint64_t kHeadMax = 4096;  // no kernel keeps a wider one

/// Keys that change nothing while they have this value.
struct HarmlessWhile {
  std::string_view key;
  std::string_view value;  // as JSON
};
constexpr HarmlessWhile kHarmlessWhile[] = {
    {"is_encoder_decoder", "false"},  {"rope_interleaved", "false"},
    {"add_cross_attention", "false"}, {"use_bidirectional_attention", "false"},
    {"is_decoder", "false"},          {"pruned_heads", "{}"},
};

/// A number that f32 holds: metadata keeps reals so, as the converter does.
Result<float> narrow(ConfigJson& config, std::string_view key) {
  CAIRN_ASSIGN(const double value, config.real(key));
  if (value >= -double{std::numeric_limits<float>::max()} &&
      value <= double{std::numeric_limits<float>::max()}) {
    return static_cast<float>(value);
  }
  return config.refuse(key, "a number in the range of 32 bits");
}

Status translate(const KeyRow& row, FamilyConfig& family) {
  ConfigJson& config = family.config;
  if (config.find(row.hf) == nullptr) return {};
  if (row.kind == KeyKind::kReal) {
    CAIRN_ASSIGN(const float value, narrow(config, row.hf));
    family.metadata.set(family.key(row.key), value);
    return {};
  }
  if (row.kind == KeyKind::kText) {
    CAIRN_ASSIGN(const std::string value, config.text(row.hf));
    if (value == row.expected) return {};
    return unsupported(config.refuse(row.hf, fmt::format("\"{}\"", row.expected)).message());
  }
  CAIRN_ASSIGN(const std::uint64_t value, config.count(row.hf));
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    return config.refuse(row.hf, "a number of 32 bits");
  }
  family.metadata.set(family.key(row.key), static_cast<std::uint32_t>(value));
  return {};
}

/// "rope_parameters" of new files, "rope_scaling" and "rope_theta" of old ones.
Result<ConfigJson> rope_object(ConfigJson& config) {
  return config.object_or_empty(config.has("rope_parameters") ? "rope_parameters" : "rope_scaling");
}

Result<std::string> rope_type(ConfigJson& rope) {
  return rope.text_or(rope.has("rope_type") ? "rope_type" : "type", "default");
}

Status translate_rope_base(FamilyConfig& family, ConfigJson& rope) {
  ConfigJson& where = rope.has("rope_theta") ? rope : family.config;
  const Json* outer = family.config.find("rope_theta");
  const Json* inner = rope.find("rope_theta");
  if (outer == nullptr && inner == nullptr) return {};
  if (outer != nullptr && inner != nullptr && *outer != *inner) {
    return family.config.refuse("rope_theta",
                                line_of(*inner) + ", as " + rope.where() + " has it,");
  }
  CAIRN_ASSIGN(const float base, narrow(where, "rope_theta"));
  family.metadata.set(family.key("rope.freq_base"), base);
  return {};
}

Status translate_linear(FamilyConfig& family, ConfigJson& rope) {
  CAIRN_ASSIGN(const float factor, narrow(rope, "factor"));
  family.metadata.set(family.key("rope.scaling.type"), std::string("linear"));
  family.metadata.set(family.key("rope.scaling.factor"), factor);
  return {};
}

/// By layer kind ("full_attention", "sliding_attention"), as families with both have them.
bool has_kinds(const ConfigJson& rope) { return rope.has("full_attention"); }

/// Source: Peng et al. 2023, arXiv 2309.00071; the keys are the converter's.
Status translate_yarn(FamilyConfig& family, ConfigJson& rope) {
  CAIRN_ASSIGN(const float factor, narrow(rope, "factor"));
  ConfigJson& where = rope.has("original_max_position_embeddings") ? rope : family.config;
  CAIRN_ASSIGN(const std::uint64_t context,
               where.count(&where == &rope ? "original_max_position_embeddings"
                                           : "max_position_embeddings"));
  family.metadata.set(family.key("rope.scaling.type"), std::string("yarn"));
  family.metadata.set(family.key("rope.scaling.factor"), factor);
  family.metadata.set(family.key("rope.scaling.original_context_length"), context);
  for (const char* name : {"beta_fast", "beta_slow"}) {
    if (!rope.has(name)) continue;
    CAIRN_ASSIGN(const float beta, narrow(rope, name));
    family.metadata.set(family.key(fmt::format("rope.scaling.yarn_{}", name)), beta);
  }
  return {};
}

/// Only the front of each head is rotated.
Status translate_part(FamilyConfig& family, ConfigJson& rope) {
  constexpr std::string_view kKey = "partial_rotary_factor";
  family.config.find(kKey);
  rope.find(kKey);
  ConfigJson& where = rope.has(kKey) ? rope : family.config;
  CAIRN_ASSIGN(const double part, where.real_or(kKey, 1));
  if (part == 1) return {};
  CAIRN_ASSIGN(const std::uint64_t heads, family.config.count("num_attention_heads"));
  CAIRN_ASSIGN(const std::uint64_t width, family.config.count("hidden_size"));
  CAIRN_ASSIGN(const std::uint64_t head,
               family.config.count_or("head_dim", heads == 0 ? 0 : width / heads));
  if (!(part > 0 && part < 1) || head > kHeadMax) {
    return where.refuse(kKey, "a number above 0 and up to 1");
  }
  family.metadata.set(family.key("rope.dimension_count"),
                      static_cast<std::uint32_t>(static_cast<double>(head) * part));
  return {};
}

Status translate_rope_kind(FamilyConfig& family, ConfigJson& rope) {
  CAIRN_ASSIGN(const std::string type, rope_type(rope));
  CAIRN_TRY(translate_rope_base(family, rope));
  CAIRN_TRY(translate_part(family, rope));
  if (type == "yarn") CAIRN_TRY(translate_yarn(family, rope));
  if (type == "linear") CAIRN_TRY(translate_linear(family, rope));
  if (type == "llama3") {
    for (const char* key :
         {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"}) {
      CAIRN_TRY(rope.real(key).status());
    }
  } else if (type != "default" && type != "linear" && type != "yarn") {
    return unsupported(
        fmt::format("{}: rope_type is \"{}\"; default, linear, llama3 and yarn are supported",
                    rope.where(), type));
  }
  if (rope.unread().empty()) return {};
  return unsupported(fmt::format("{}: {} is not understood", rope.where(), rope.unread()));
}

Status translate_rope(FamilyConfig& family) {
  CAIRN_ASSIGN(ConfigJson rope, rope_object(family.config));
  if (!has_kinds(rope)) return translate_rope_kind(family, rope);
  CAIRN_ASSIGN(ConfigJson full, rope.object_or_empty("full_attention"));
  CAIRN_TRY(translate_rope_kind(family, full));
  CAIRN_ASSIGN(ConfigJson local, rope.object_or_empty("sliding_attention"));
  CAIRN_ASSIGN(const std::string type, rope_type(local));
  if (type != "default" || !local.has("rope_theta")) {
    return unsupported(
        fmt::format("{}: rope_type default with rope_theta is supported alone", local.where()));
  }
  CAIRN_ASSIGN(const float base, narrow(local, "rope_theta"));
  family.metadata.set(family.key("rope.freq_base_swa"), base);
  return {};
}

/// "head_dim" is the length of keys and values; where it is missing, it is width / heads.
Status translate_head(FamilyConfig& family) {
  if (family.config.find("head_dim") == nullptr) return {};
  CAIRN_ASSIGN(const std::uint64_t size, family.config.count("head_dim"));
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    return family.config.refuse("head_dim", "a number of 32 bits");
  }
  for (const char* key : {"attention.key_length", "attention.value_length"}) {
    family.metadata.set(family.key(key), static_cast<std::uint32_t>(size));
  }
  return {};
}

Status translate_window(FamilyConfig& family) {
  CAIRN_ASSIGN(const bool used, family.config.boolean_or("use_sliding_window", true));
  family.config.find("max_window_layers");  // means nothing where no window is used
  if (!used) {
    family.config.find("sliding_window");
    return {};
  }
  if (family.config.has("use_sliding_window") && family.config.has("max_window_layers")) {
    return unsupported(
        fmt::format("{}: \"use_sliding_window\" is true; windows in some of the layers, by "
                    "\"max_window_layers\", are not supported",
                    family.config.where()));
  }
  constexpr KeyRow kWindow{.hf = "sliding_window", .key = "attention.sliding_window"};
  return translate(kWindow, family);
}

Status refuse_unread(ConfigJson& config) {
  for (const std::string_view key : kHarmlessConfig) config.find(key);
  for (const HarmlessWhile& row : kHarmlessWhile) {
    if (!config.has(row.key)) continue;
    const Json* value = config.find(row.key);
    if (line_of(*value) == row.value) continue;
    return unsupported(config.refuse(row.key, row.value).message());
  }
  if (config.unread().empty()) return {};
  return unsupported(
      fmt::format("{}: {}: not understood by this version, and may change the result",
                  config.where(), config.unread()));
}

}  // namespace

std::string FamilyConfig::key(std::string_view name) const {
  return fmt::format("{}.{}", gguf, name);
}

Result<std::vector<float>> llama3_factors(ConfigJson& config) {
  CAIRN_ASSIGN(ConfigJson rope, rope_object(config));
  CAIRN_ASSIGN(const std::string type, rope_type(rope));
  if (type != "llama3") return std::vector<float>();
  CAIRN_ASSIGN(const double factor, rope.real("factor"));
  CAIRN_ASSIGN(const double low, rope.real("low_freq_factor"));
  CAIRN_ASSIGN(const double high, rope.real("high_freq_factor"));
  CAIRN_ASSIGN(const double context, rope.real("original_max_position_embeddings"));
  CAIRN_ASSIGN(const double outer, config.real_or("rope_theta", 10000));
  CAIRN_ASSIGN(const double base, rope.real_or("rope_theta", outer));
  CAIRN_ASSIGN(const std::uint64_t heads, config.count("num_attention_heads"));
  CAIRN_ASSIGN(const std::uint64_t width, config.count("hidden_size"));
  CAIRN_ASSIGN(const std::uint64_t dims,
               config.count_or("head_dim", heads == 0 ? 0 : width / heads));
  if (dims > kHeadMax) return config.refuse("head_dim", "a number up to 4096");
  if (!(factor > 0) || !(high > low) || !(base > 0)) {
    return rope.refuse("factor",
                       "a number above 0, beside low_freq_factor below high_freq_factor,");
  }
  constexpr double kTau = 6.283185307179586476925;
  std::vector<float> factors;
  for (std::uint64_t i = 0; i + 1 < dims; i += 2) {
    const double length =
        kTau * math::pow64(base, static_cast<double>(i) / static_cast<double>(dims));
    const double turns = context / length;  // in the context that the model was first trained for
    const double share = std::clamp((turns - low) / (high - low), 0.0, 1.0);
    factors.push_back(static_cast<float>(1 / ((1 - share) / factor + share)));
  }
  return factors;
}

Result<Metadata> translate_config(const HuggingfaceFamily& family, ConfigJson& config,
                                  std::vector<std::string>& warnings) {
  Metadata metadata;
  metadata.set("general.architecture", std::string(family.gguf));
  FamilyConfig target{
      .config = config, .metadata = metadata, .gguf = family.gguf, .warnings = warnings};
  for (const KeyRow& row : shared_keys()) CAIRN_TRY(translate(row, target));
  for (const KeyRow& row : family.keys) CAIRN_TRY(translate(row, target));
  CAIRN_TRY(translate_head(target));
  CAIRN_TRY(translate_rope(target));
  CAIRN_TRY(translate_window(target));
  if (family.finish != nullptr) CAIRN_TRY(family.finish(target));
  CAIRN_TRY(refuse_unread(config));
  return metadata;
}

}  // namespace cairn::formats
