#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "formats/huggingface/huggingface.h"
#include "formats/huggingface/keys.h"
#include "formats/huggingface/tensors.h"
#include "formats/huggingface/text_files.h"
#include "formats/quote.h"
#include "formats/safetensors/safetensors.h"

namespace cairn::formats {
namespace {

/// architectures[0].
Result<std::string> architecture_of(ConfigJson& config) {
  const Json* list = config.find("architectures");
  if (list != nullptr && list->is_array() && list->size() == 1 && (*list)[0].is_string()) {
    return (*list)[0].get<std::string>();
  }
  return config.refuse("architectures", "a list of one name");
}

Result<TensorChanges> changes_of(ConfigJson& config) {
  TensorChanges changes;
  CAIRN_ASSIGN(changes.heads, config.count("num_attention_heads"));
  CAIRN_ASSIGN(changes.kv_heads, config.count_or("num_key_value_heads", changes.heads));
  CAIRN_ASSIGN(changes.is_tied, config.boolean_or("tie_word_embeddings", false));
  return changes;
}

/// Rows of the embedding, as many as the vocabulary may have tokens.
std::size_t embedding_rows(const std::vector<TensorInfo>& tensors) {
  for (const TensorInfo& tensor : tensors) {
    if (tensor.name == "token_embd.weight") return static_cast<std::size_t>(tensor.rows());
  }
  return 0;  // opening the model says that it is missing
}

std::string name_of_folder(const std::string& folder) {
  std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return printable(path.filename().string());
}

Result<ModelFile> open_with(const std::string& folder, ConfigJson config) {
  CAIRN_ASSIGN(const std::string architecture, architecture_of(config));
  CAIRN_ASSIGN(const HuggingfaceFamily* family, find_huggingface_family(architecture));
  CAIRN_ASSIGN(const ModelFile weights, open_safetensors_folder(folder));
  std::vector<std::string> warnings;
  CAIRN_ASSIGN(const TensorChanges changes, changes_of(config));
  CAIRN_ASSIGN(std::vector<float> factors, llama3_factors(config));
  CAIRN_ASSIGN(Metadata metadata, translate_config(*family, config, warnings));
  CAIRN_ASSIGN(std::vector<TensorInfo> tensors, translate_tensors(*family, weights, changes));
  if (!factors.empty()) {
    tensors.push_back(constant_tensor("rope_freqs.weight", std::move(factors)));
  }
  metadata.set("general.name", name_of_folder(folder));
  CAIRN_TRY(read_text_files(folder, config, embedding_rows(tensors), metadata, warnings));
  if (!warnings.empty()) metadata.set("huggingface.warnings", array_of(warnings));
  return weights.remade(std::move(metadata), std::move(tensors), config.text_of_all());
}

}  // namespace

bool is_huggingface_folder(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder + "/config.json", ignored);
}

Result<ModelFile> open_huggingface(const std::string& folder) {
  CAIRN_ASSIGN(std::optional<ConfigJson> config, ConfigJson::read(folder + "/config.json"));
  if (!config) return not_found(fmt::format("{}: found no config.json", folder));
  Result<ModelFile> file = open_with(folder, *std::move(config));
  if (!file.ok() && file.status().message().find(folder) == std::string::npos) {
    return file.status().in(folder);
  }
  return file;
}

}  // namespace cairn::formats
