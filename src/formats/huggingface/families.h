// The table of families that Hugging Face folders are read as.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "formats/huggingface/config_json.h"
#include "formats/metadata.h"
#include "formats/model_file.h"

namespace cairn::formats {

/// How a value of config.json is stored in the metadata.
enum class KeyKind : std::uint8_t {
  kCount,  // uint32
  kReal,   // float32
  kText,   // has no key of its own: must be the row's text where it is there
};

/// A key of config.json and what says the same in the metadata.
struct KeyRow {
  std::string_view hf;        // "hidden_size"
  std::string_view key = {};  // "embedding_length", behind "<architecture>."
  KeyKind kind = KeyKind::kCount;
  std::string_view expected = {};  // of kText: the one value that is understood
};

/// What is done to the values of a tensor. `heads` are the config's.
enum class Change : std::uint8_t {
  kNone,
  kPairs,      // rows of a head reordered, so that the pairs of the rotation are adjacent
  kPlusOne,    // 1 is added: the file keeps what a norm's weight has above 1
  kTranspose,  // [in, out] becomes [out, in]: GPT-2 keeps matrices so
};

/// A tensor's name in a checkpoint and in a GGUF file, both without ".weight" or ".bias" at their
/// ends; {} stands for the number of the layer.
struct NameRow {
  std::string_view hf;
  std::string_view gguf;
  Change change = Change::kNone;
};

/// What a family's own function reads and writes.
struct FamilyConfig {
  ConfigJson& config;
  Metadata& metadata;
  std::string_view gguf;
  std::vector<std::string>& warnings;

  std::string key(std::string_view name) const;
};

/// One row of the table.
struct HuggingfaceFamily {
  std::string_view architecture;        // config.json: architectures[0]
  std::string_view gguf;                // general.architecture
  std::span<const KeyRow> keys = {};    // beside those that all share
  std::span<const NameRow> names = {};  // looked for before those that all share
  bool is_paired = false;               // queries and keys change as kPairs says
  /// What no table can say; may be nullptr.
  Status (*finish)(FamilyConfig& family) = nullptr;
};

/// All families.
std::span<const HuggingfaceFamily> huggingface_families();

/// Errors: kUnsupported naming `architecture` and the nearest that is known.
Result<const HuggingfaceFamily*> find_huggingface_family(std::string_view architecture);

/// Keys of config.json that all families share, and names of tensors.
std::span<const KeyRow> shared_keys();
std::span<const NameRow> shared_names();

}  // namespace cairn::formats
