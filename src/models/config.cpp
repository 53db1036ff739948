#include "models/config.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace cairn::models {
namespace {

/// A key that cannot change the result: always, or while it has one value.
struct Harmless {
  std::string_view name;
  std::optional<double> only_when;
};

constexpr Harmless kHarmless[] = {
    {.name = "attention.causal", .only_when = 1},
    {.name = "attention.clamp_kqv", .only_when = 0},
    {.name = "attention.max_alibi_bias", .only_when = 0},
    {.name = "attn_logit_softcapping", .only_when = 0},
    {.name = "embedding_scale", .only_when = 1},
    {.name = "expert_count", .only_when = 0},
    {.name = "expert_used_count", .only_when = 0},
    {.name = "final_logit_softcapping", .only_when = 0},
    {.name = "logit_scale", .only_when = 1},
    {.name = "pooling_type", .only_when = 0},
    {.name = "residual_scale", .only_when = 1},
    {.name = "rope.scaling.attn_factor", .only_when = 1},
    {.name = "rope.scaling.finetuned", .only_when = {}},
    {.name = "rope.scaling.original_context_length", .only_when = {}},  // of YaRN only
    {.name = "tensor_data_layout", .only_when = {}},  // says how rows were permuted, in words
    {.name = "use_parallel_residual", .only_when = 0},
    {.name = "vocab_size", .only_when = {}},  // the tokenizer's tokens decide
};

bool has_value(const formats::Metadata& metadata, std::string_view key, double expected) {
  const Result<double> number = metadata.f64(key);
  if (number.ok()) return *number == expected;
  const Result<bool> boolean = metadata.boolean(key);
  return boolean.ok() && *boolean == (expected != 0);
}

bool is_harmless(const formats::Metadata& metadata, std::string_view key, std::string_view name) {
  const auto* const row = std::ranges::find(kHarmless, name, &Harmless::name);
  if (row == std::end(kHarmless)) return false;
  return !row->only_when || has_value(metadata, key, *row->only_when);
}

Result<std::size_t> check_count(const std::string& key, std::uint64_t value) {
  if (value >= 1 && value <= kCountMax) return static_cast<std::size_t>(value);
  return invalid_file(fmt::format("key \"{}\" is {}, expected 1 up to {}", key, value, kCountMax));
}

Result<double> check_positive(const std::string& key, double value) {
  // Kernels take f32, where smaller ones would be 0 and larger ones infinite.
  using Limits = std::numeric_limits<float>;
  if (value >= double{Limits::min()} && value <= double{Limits::max()}) return value;
  return invalid_file(fmt::format(
      "key \"{}\" is {}, expected a finite number above 0 in the range of 32 bits", key, value));
}

std::size_t token_count(const formats::Metadata& metadata) {
  const formats::MetadataValue* value = metadata.find("tokenizer.ggml.tokens");
  if (value == nullptr) return 0;
  const auto* array = std::get_if<formats::MetadataArray>(value);
  return array == nullptr ? 0 : array->size();
}

}  // namespace

Config::Config(const formats::ModelFile& file, std::string_view architecture)
    : file_(&file), architecture_(architecture) {}

std::string Config::key(std::string_view name) const {
  return fmt::format("{}.{}", architecture_, name);
}

std::string Config::read(std::string_view name) {
  std::string full = key(name);
  read_.insert(full);
  return full;
}

bool Config::has(std::string_view name) const { return file_->metadata().has(key(name)); }

std::string Config::tensor_or_none(std::string name) const {
  return file_->find(name) == nullptr ? std::string() : std::move(name);
}

Result<std::size_t> Config::count(std::string_view name) {
  const std::string full = read(name);
  const Result<std::uint64_t> value = file_->metadata().u64(full);
  if (!value.ok()) return invalid_file(value.status().message());
  return check_count(full, *value);
}

Result<std::size_t> Config::count_or(std::string_view name, std::size_t otherwise) {
  return has(name) ? count(name) : Result<std::size_t>(otherwise);
}

Result<std::size_t> Config::count_or_none(std::string_view name) {
  if (is_zero(name)) return std::size_t{0};
  return count(name);
}

Result<float> Config::cap(std::string_view name) {
  if (is_zero(name)) return 0.0f;
  CAIRN_ASSIGN(const double value, positive(name));
  return static_cast<float>(value);
}

bool Config::is_zero(std::string_view name) {
  const std::string full = read(name);
  return !has(name) || has_value(file_->metadata(), full, 0);
}

Result<double> Config::positive(std::string_view name) {
  const std::string full = read(name);
  const Result<double> value = file_->metadata().f64(full);
  if (!value.ok()) return invalid_file(value.status().message());
  return check_positive(full, *value);
}

Result<double> Config::positive_or(std::string_view name, double otherwise) {
  return has(name) ? positive(name) : Result<double>(otherwise);
}

Result<std::string> Config::text_or(std::string_view name, std::string_view otherwise) {
  CAIRN_ASSIGN(const std::string_view value, file_->metadata().string_or(read(name), otherwise));
  return std::string(value);
}

Result<std::vector<bool>> Config::pattern_or(std::string_view name, std::size_t layers,
                                             std::size_t period) {
  const std::string full = read(name);
  const formats::MetadataValue* value = file_->metadata().find(full);
  if (value != nullptr && std::holds_alternative<formats::MetadataArray>(*value)) {
    CAIRN_ASSIGN(std::vector<bool> pattern, file_->metadata().booleans(full));
    if (pattern.size() == layers) return pattern;
    return invalid_file(fmt::format("key \"{}\" has {} values, expected one per layer: {}", full,
                                    pattern.size(), layers));
  }
  CAIRN_ASSIGN(const std::size_t n, count_or(name, period));
  std::vector<bool> pattern(layers);
  for (std::size_t layer = 0; layer < layers; ++layer) pattern[layer] = layer % n + 1 < n;
  return pattern;
}

Result<std::size_t> Config::vocabulary(std::string_view embedding) {
  const formats::TensorInfo* tensor = file_->find(embedding);
  if (tensor == nullptr) return invalid_file(fmt::format("tensor \"{}\" is missing", embedding));
  const std::uint64_t rows = tensor->rows();
  std::string source = "tokenizer.ggml.tokens";
  std::size_t tokens = token_count(file_->metadata());
  if (tokens == 0) {
    source = read("vocab_size");
    CAIRN_ASSIGN(tokens, count_or("vocab_size", static_cast<std::size_t>(rows)));
  }
  if (tokens >= 1 && tokens <= rows && tokens <= kCountMax) return tokens;
  return invalid_file(
      fmt::format("\"{}\" says {} tokens but tensor \"{}\" has {} rows; at least one row per token "
                  "is needed",
                  source, tokens, embedding, rows));
}

Status Config::refuse_unread() const {
  std::string unknown;
  const std::string prefix = architecture_ + ".";
  for (const std::string_view full : file_->metadata().keys()) {
    if (!full.starts_with(prefix) || read_.contains(full)) continue;
    if (is_harmless(file_->metadata(), full, full.substr(prefix.size()))) continue;
    unknown += fmt::format("{}\"{}\"", unknown.empty() ? "" : ", ", full);
  }
  if (unknown.empty()) return {};
  return unsupported(fmt::format(
      "the file sets what this version does not understand and what may change the result: {}",
      unknown));
}

}  // namespace cairn::models
