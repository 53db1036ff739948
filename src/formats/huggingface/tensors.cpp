#include "formats/huggingface/tensors.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "formats/quote.h"

namespace cairn::formats {
namespace {

/// A name taken apart: "model.layers.3.mlp.up_proj.weight" has number 3 and stem
/// "model.layers.{}.mlp.up_proj".
struct TensorName {
  std::string stem;
  std::string_view ending;  // ".weight", ".bias" or nothing
  std::string_view number;  // of the layer, as written; empty: none
};

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

TensorName take_apart(std::string_view name) {
  TensorName parts;
  for (const std::string_view ending : {".weight", ".bias"}) {
    if (!name.ends_with(ending)) continue;
    parts.ending = name.substr(name.size() - ending.size());
    name.remove_suffix(ending.size());
  }
  while (true) {
    const std::size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    if (is_number(part) && parts.number.empty()) {
      parts.number = part;
      parts.stem += "{}";
    } else {
      parts.stem += part;
    }
    if (dot == std::string_view::npos) return parts;
    parts.stem += '.';
    name.remove_prefix(dot + 1);
  }
}

const NameRow* find_row(const HuggingfaceFamily& family, std::string_view stem) {
  for (const auto rows : {family.names, shared_names()}) {
    const auto row = std::ranges::find(rows, stem, &NameRow::hf);
    if (row != rows.end()) return &*row;
  }
  return nullptr;
}

std::string translated(const NameRow& row, const TensorName& name) {
  std::string text(row.gguf);
  if (const std::size_t at = text.find("{}"); at != std::string::npos) {
    text.replace(at, 2, name.number);
  }
  return text + std::string(name.ending);
}

/// Rows of each head: the two halves are laid side by side, so that partners are adjacent.
/// Source: llama.cpp, conversion/llama.py, permute.
class AdjacentPairs final : public TensorMaker {
 public:
  AdjacentPairs(std::span<const std::byte> from, std::uint64_t rows, std::uint64_t heads)
      : from_(from), rows_(rows), half_(rows / heads / 2) {}

  void make(std::span<std::byte> out) const override {
    const std::size_t size = from_.size() / rows_;
    for (std::uint64_t row = 0; row < rows_; ++row) {
      const std::uint64_t in_head = row % (2 * half_);
      const std::uint64_t from = row - in_head + in_head % 2 * half_ + in_head / 2;
      std::memcpy(out.data() + row * size, from_.data() + from * size, size);
    }
  }
  std::span<const std::byte> source() const override { return from_; }

 private:
  std::span<const std::byte> from_;
  std::uint64_t rows_;
  std::uint64_t half_;
};

/// The values and 1, as f32.
class PlusOne final : public TensorMaker {
 public:
  PlusOne(std::span<const std::byte> from, ElementType type) : from_(from), type_(type) {}

  void make(std::span<std::byte> out) const override {
    std::vector<float> values(out.size() / sizeof(float));
    info(type_).decode(from_.data(), values.size(), values.data());
    for (float& value : values) value += 1;
    std::memcpy(out.data(), values.data(), out.size());
  }
  std::span<const std::byte> source() const override { return from_; }

 private:
  std::span<const std::byte> from_;
  ElementType type_;
};

/// [in, out] as [out, in].
class Transposed final : public TensorMaker {
 public:
  Transposed(std::span<const std::byte> from, std::uint64_t rows, std::uint64_t cols)
      : from_(from), rows_(rows), cols_(cols) {}

  void make(std::span<std::byte> out) const override {
    const std::size_t size = from_.size() / (rows_ * cols_);
    for (std::uint64_t row = 0; row < rows_; ++row) {
      for (std::uint64_t col = 0; col < cols_; ++col) {
        std::memcpy(out.data() + (col * rows_ + row) * size,
                    from_.data() + (row * cols_ + col) * size, size);
      }
    }
  }
  std::span<const std::byte> source() const override { return from_; }

 private:
  std::span<const std::byte> from_;
  std::uint64_t rows_;
  std::uint64_t cols_;
};

class Constant final : public TensorMaker {
 public:
  explicit Constant(std::vector<float> values) : values_(std::move(values)) {}
  void make(std::span<std::byte> out) const override {
    std::memcpy(out.data(), values_.data(), out.size());
  }
  std::span<const std::byte> source() const override { return {}; }

 private:
  std::vector<float> values_;
};

/// Vectors have a row per value here, whatever `tensor` calls its dimensions.
Status pair_rows(TensorInfo& tensor, std::uint64_t heads) {
  const std::uint64_t rows = tensor.shape.size() > 1 ? tensor.rows() : tensor.cols();
  if (heads == 0 || rows % heads != 0 || rows / heads % 2 != 0) {
    return invalid_file(fmt::format(
        "it has {} rows; a multiple of 2 * {}, the number of heads in config.json, is expected",
        rows, heads));
  }
  tensor.maker = std::make_shared<const AdjacentPairs>(tensor.bytes, rows, heads);
  return {};
}

Status transpose(TensorInfo& tensor) {
  if (tensor.shape.size() != 2) return {};  // a bias
  tensor.maker = std::make_shared<const Transposed>(tensor.bytes, tensor.rows(), tensor.cols());
  std::swap(tensor.shape[0], tensor.shape[1]);
  return {};
}

Status apply(TensorInfo& tensor, Change change, std::uint64_t heads) {
  switch (change) {
    case Change::kNone:
      return {};
    case Change::kPairs:
      CAIRN_TRY(pair_rows(tensor, heads));
      break;
    case Change::kPlusOne:
      tensor.maker = std::make_shared<const PlusOne>(tensor.bytes, tensor.type);
      tensor.type = ElementType::kF32;
      break;
    case Change::kTranspose:
      CAIRN_TRY(transpose(tensor));
      break;
  }
  if (tensor.maker != nullptr) tensor.bytes = {};
  return {};
}

/// Buffers that old checkpoints keep and that follow from the config.
bool is_buffer(std::string_view name) {
  return name.ends_with(".rotary_emb.inv_freq") || name.ends_with(".attn.masked_bias");
}

struct Head {
  std::uint64_t heads = 0;
  Change change = Change::kNone;
};

Head head_of(const HuggingfaceFamily& family, const NameRow& row, const TensorChanges& changes) {
  const bool query = row.gguf == "blk.{}.attn_q";
  const bool key = row.gguf == "blk.{}.attn_k";
  if (!family.is_paired || !(query || key)) return {.change = row.change};
  return {.heads = query ? changes.heads : changes.kv_heads, .change = Change::kPairs};
}

}  // namespace

Result<std::vector<TensorInfo>> translate_tensors(const HuggingfaceFamily& family,
                                                  const ModelFile& weights,
                                                  const TensorChanges& changes) {
  std::vector<TensorInfo> tensors;
  bool has_head = changes.is_tied;
  for (const TensorInfo& stored : weights.tensors()) {
    if (is_buffer(stored.name)) continue;
    const TensorName name = take_apart(stored.name);
    const NameRow* row = find_row(family, name.stem);
    if (row == nullptr) {
      return unsupported(fmt::format("tensor {}: {} has none of that name", printable(stored.name),
                                     family.architecture));
    }
    if (row->gguf == "output") {
      if (changes.is_tied) continue;
      has_head = true;
    }
    TensorInfo tensor = stored;
    tensor.name = translated(*row, name);
    const Head head = head_of(family, *row, changes);
    CAIRN_TRY(apply(tensor, head.change, head.heads).in("tensor " + printable(stored.name)));
    tensors.push_back(std::move(tensor));
  }
  if (has_head) return tensors;
  return invalid_file(
      "tensor lm_head.weight is missing; config.json says that it is not the embedding "
      "(\"tie_word_embeddings\" is false)");
}

TensorInfo constant_tensor(std::string name, std::vector<float> values) {
  const std::uint64_t size = values.size();
  return {.name = std::move(name),
          .type = ElementType::kF32,
          .shape = {size},
          .maker = std::make_shared<const Constant>(std::move(values))};
}

}  // namespace cairn::formats
