#include "runtime/quantize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "formats/gguf/writer.h"
#include "formats/quantized.h"
#include "tokenizer/pre_tokenizer.h"

namespace cairn::runtime {
namespace {

using formats::Metadata;
using formats::ModelFile;

constexpr std::uint32_t kQuantizationVersion = 2;  // of ggml's blocks (ggml.h, GGML_QNT_VERSION)

/// general.file_type. Source: llama.h, enum llama_ftype.
struct FileType {
  ElementType type;
  std::uint32_t number;
};
constexpr FileType kFileTypes[] = {
    {ElementType::kF32, 0},   {ElementType::kF16, 1},   {ElementType::kQ4_0, 2},
    {ElementType::kQ4_1, 3},  {ElementType::kQ8_0, 7},  {ElementType::kQ5_0, 8},
    {ElementType::kQ5_1, 9},  {ElementType::kQ4_K, 14}, {ElementType::kQ6_K, 18},
    {ElementType::kBF16, 32},
};

/// llama.cpp wants a token for each row of the embedding: unused ones fill up what is missing.
Status fill_up_tokens(std::size_t rows, Metadata& metadata) {
  constexpr std::int32_t kUnused = 5;
  CAIRN_ASSIGN(const std::vector<std::string_view> stored,
               metadata.strings("tokenizer.ggml.tokens"));
  std::vector<std::string> tokens(stored.begin(), stored.end());
  if (tokens.size() >= rows) return {};
  CAIRN_ASSIGN(const std::vector<std::int64_t> types, metadata.i64s("tokenizer.ggml.token_type"));
  std::vector<std::int32_t> numbers(types.begin(), types.end());
  for (std::size_t id = tokens.size(); id < rows; ++id)
    tokens.push_back(fmt::format("[PAD{}]", id));
  numbers.resize(rows, kUnused);
  metadata.set("tokenizer.ggml.tokens", formats::array_of(tokens));
  metadata.set("tokenizer.ggml.token_type", formats::array_of(numbers));
  if (!metadata.has("tokenizer.ggml.scores")) return {};
  CAIRN_ASSIGN(const std::vector<double> stored_scores, metadata.f64s("tokenizer.ggml.scores"));
  std::vector<float> scores(stored_scores.begin(), stored_scores.end());
  scores.resize(rows, *std::ranges::min_element(scores));
  metadata.set("tokenizer.ggml.scores", formats::array_of(scores));
  return {};
}

/// What other programs read of a folder's tokenizer: the pre-tokenizer's name, a second stop id.
Status name_for_others(const ModelFile& file, Metadata& metadata) {
  if (metadata.has("tokenizer.huggingface.pre_tokenizer")) {
    CAIRN_ASSIGN(const auto* row, tokenizer::pre_tokenizer_of(metadata));
    metadata.set("tokenizer.ggml.pre", std::string(row->name));
  }
  if (metadata.has("tokenizer.huggingface.stop_ids")) {
    CAIRN_ASSIGN(const std::vector<std::int64_t> stops,
                 metadata.i64s("tokenizer.huggingface.stop_ids"));
    if (stops.size() > 1) {
      metadata.set("tokenizer.ggml.eot_token_id", static_cast<std::uint32_t>(stops[1]));
    }
  }
  const formats::TensorInfo* embedding = file.find("token_embd.weight");
  if (embedding == nullptr || !metadata.has("tokenizer.ggml.tokens")) return {};
  return fill_up_tokens(static_cast<std::size_t>(embedding->rows()), metadata);
}

Result<Metadata> metadata_to_write(const ModelFile& file, ElementType type) {
  Metadata metadata = file.metadata();
  const auto* row = std::ranges::find(kFileTypes, type, &FileType::type);
  metadata.set("general.type", std::string("model"));
  metadata.set("general.file_type", row->number);
  metadata.set("general.quantization_version", kQuantizationVersion);
  CAIRN_TRY(name_for_others(file, metadata));
  return metadata;
}

std::uint64_t bytes_in(const ModelFile& file) {
  std::uint64_t sum = 0;
  for (const formats::TensorInfo& tensor : file.tensors()) sum += tensor.byte_size();
  return sum;
}

}  // namespace

Result<QuantizeReport> quantize_model(const QuantizeOptions& options) {
  CAIRN_ASSIGN(const ElementType type, formats::parse_quantized_type(options.type));
  CAIRN_ASSIGN(const ModelFile file, formats::open_model(options.path));
  QuantizeReport report{.bytes_before = bytes_in(file), .tensors = file.tensors().size()};
  const Result<ModelFile> made = formats::quantized(file, type, report.notes);
  if (!made.ok()) return made.status().in(options.path);
  report.bytes_after = bytes_in(*made);
  CAIRN_ASSIGN(Metadata metadata, metadata_to_write(file, type));
  const std::span<const formats::TensorInfo> tensors = made->tensors();
  CAIRN_ASSIGN(const ModelFile out,
               made->remade(std::move(metadata), {tensors.begin(), tensors.end()}, ""));
  CAIRN_TRY(formats::write_gguf(options.out, out, options.progress));
  return report;
}

Result<ModelFile> open_in_type(const std::string& path, const std::string& type,
                               std::vector<std::string>& warnings) {
  CAIRN_ASSIGN(ModelFile file, formats::open_model(path));
  if (type == "none") return file;
  CAIRN_ASSIGN(const ElementType element, formats::parse_quantized_type(type));
  std::vector<std::string> notes;
  Result<ModelFile> made = formats::quantized(file, element, notes);
  if (!made.ok()) return made.status().in(path);
  for (const std::string& note : notes) warnings.push_back("--quantize " + type + ": " + note);
  return made;
}

std::string quantize_type_names() {
  return fmt::format("{}", fmt::join(formats::quantized_type_names(), ", "));
}

}  // namespace cairn::runtime
