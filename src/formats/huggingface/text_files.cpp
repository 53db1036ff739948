#include "formats/huggingface/text_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/file.h"
#include "formats/huggingface/generation_config.h"
#include "formats/huggingface/tokenizer_json.h"

namespace cairn::formats {
namespace {

/// Gemma's has 33,000,000 bytes.
constexpr std::uint64_t kTokenizerBytesMax = std::uint64_t{256} << 20;
constexpr std::uint64_t kTemplateBytesMax = std::uint64_t{4} << 20;

std::string file_in(const std::string& folder, std::string_view name) {
  return fmt::format("{}/{}", folder, name);
}

/// The text of a token that is written as "<s>" or as {"content": "<s>", ...}; empty: none.
std::string token_text(ConfigJson& config, const char* key) {
  const Json* value = config.find(key);
  if (value == nullptr) return {};
  if (value->is_object() && value->contains("content")) value = &(*value)["content"];
  return value->is_string() ? value->get<std::string>() : std::string();
}

/// A special token by the names that the files have for it.
struct SpecialToken {
  const char* name;    // in tokenizer_config.json
  const char* id_key;  // in the metadata
  const char* id;      // in config.json; nullptr: not there
};

constexpr SpecialToken kSpecialTokens[] = {
    {"bos_token", "tokenizer.ggml.bos_token_id", "bos_token_id"},
    {"eos_token", "tokenizer.ggml.eos_token_id", "eos_token_id"},
    {"pad_token", "tokenizer.ggml.padding_token_id", "pad_token_id"},
    {"unk_token", "tokenizer.ggml.unknown_token_id", nullptr},
};

/// The first id in `key`: a number, or the first of a list of numbers.
std::optional<std::uint32_t> first_id(ConfigJson& config, const char* key, std::size_t count) {
  const Json* value = config.find(key);
  if (value != nullptr && value->is_array() && !value->empty()) value = &(*value)[0];
  if (value == nullptr || !value->is_number_unsigned() || value->get<std::uint64_t>() >= count) {
    return std::nullopt;
  }
  return value->get<std::uint32_t>();
}

void set_special_tokens(const TokenizerJson& tokenizer, std::size_t count,
                        const std::vector<ConfigJson*>& files, ConfigJson& config,
                        Metadata& metadata) {
  for (const SpecialToken& token : kSpecialTokens) {
    std::optional<std::uint32_t> id;
    for (ConfigJson* file : files) {
      const std::string text = token_text(*file, token.name);
      if (!id && !text.empty()) id = id_of(tokenizer, text);
    }
    if (!id && token.id != nullptr) id = first_id(config, token.id, count);
    if (id && *id < count) metadata.set(token.id_key, *id);
  }
}

/// "add_bos_token" and "add_eos_token" of tokenizer_config.json, which outweigh the post-processor.
Status set_adding(ConfigJson& config, Metadata& metadata) {
  for (const char* name : {"add_bos_token", "add_eos_token"}) {
    if (!config.has(name)) continue;
    CAIRN_ASSIGN(const bool adds, config.boolean_or(name, false));
    metadata.set(fmt::format("tokenizer.ggml.{}", name), adds);
  }
  return {};
}

/// The template called "default" of a list, or the only one.
Status set_listed_template(const ConfigJson& config, const Json& list, Metadata& metadata) {
  for (const Json& entry : list) {
    if (!entry.is_object() || !entry.contains("template") || !entry["template"].is_string()) {
      return config.refuse("chat_template", "a template, or a list of named ones,");
    }
    const bool is_default = entry.contains("name") && entry["name"] == "default";
    if (!is_default && list.size() > 1) continue;
    metadata.set("tokenizer.chat_template", entry["template"].get<std::string>());
  }
  return {};
}

Status set_template(const std::string& folder, ConfigJson& config, Metadata& metadata) {
  const std::string path = file_in(folder, "chat_template.jinja");
  const Result<std::string> text = read_file(path, kTemplateBytesMax);
  if (text.ok()) {
    metadata.set("tokenizer.chat_template", *text);
    return {};
  }
  if (text.status().code() != StatusCode::kNotFound) return text.status();
  const Json* own = config.find("chat_template");
  if (own == nullptr) return {};
  if (own->is_array()) return set_listed_template(config, *own, metadata);
  CAIRN_ASSIGN(const std::string source, config.text("chat_template"));
  metadata.set("tokenizer.chat_template", source);
  return {};
}

Result<ConfigJson> read_or_empty(const std::string& folder, const char* name) {
  CAIRN_ASSIGN(std::optional<ConfigJson> file, ConfigJson::read(file_in(folder, name)));
  if (file) return *std::move(file);
  return ConfigJson(Json::object(), file_in(folder, name));
}

Result<TokenizerJson> read_tokenizer(const std::string& folder) {
  const std::string path = file_in(folder, "tokenizer.json");
  const Result<std::string> text = read_file(path, kTokenizerBytesMax);
  if (text.status().code() == StatusCode::kNotFound) {
    return not_found(fmt::format("{}: found no tokenizer; tokenizer.json is expected", folder));
  }
  if (!text.ok()) return text.status();
  Result<TokenizerJson> tokenizer = parse_tokenizer_json(*text);
  if (!tokenizer.ok()) return tokenizer.status().in(path);
  return tokenizer;
}

}  // namespace

Status read_text_files(const std::string& folder, ConfigJson& config, std::size_t rows,
                       Metadata& metadata, std::vector<std::string>& warnings) {
  CAIRN_ASSIGN(const TokenizerJson tokenizer, read_tokenizer(folder));
  CAIRN_TRY(translate_tokenizer(tokenizer, rows, metadata, warnings)
                .in(file_in(folder, "tokenizer.json")));
  CAIRN_ASSIGN(ConfigJson own, read_or_empty(folder, "tokenizer_config.json"));
  CAIRN_ASSIGN(ConfigJson map, read_or_empty(folder, "special_tokens_map.json"));
  const std::size_t count = std::min(tokenizer.tokens.size(), rows);
  set_special_tokens(tokenizer, count, {&own, &map}, config, metadata);
  CAIRN_TRY(set_adding(own, metadata));
  CAIRN_TRY(set_template(folder, own, metadata));
  CAIRN_ASSIGN(ConfigJson generation, read_or_empty(folder, "generation_config.json"));
  return translate_generation(config, generation, count, metadata, warnings);
}

}  // namespace cairn::formats
