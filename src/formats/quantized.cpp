#include "formats/quantized.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "formats/quote.h"

namespace cairn::formats {
namespace {

/// A type for matrices, and what is taken for rows that are no multiple of its blocks.
struct TargetRow {
  ElementType type;
  ElementType otherwise;
};

constexpr TargetRow kTargets[] = {
    {ElementType::kF32, ElementType::kF32},   {ElementType::kF16, ElementType::kF16},
    {ElementType::kBF16, ElementType::kBF16}, {ElementType::kQ8_0, ElementType::kF16},
    {ElementType::kQ4_0, ElementType::kF16},  {ElementType::kQ4_1, ElementType::kF16},
    {ElementType::kQ5_0, ElementType::kF16},  {ElementType::kQ5_1, ElementType::kF16},
    {ElementType::kQ4_K, ElementType::kQ5_0}, {ElementType::kQ6_K, ElementType::kQ8_0},
};

/// Matrices that are small and decide much, or are no weights of a product: they stay f32.
constexpr std::string_view kKeptMatrices[] = {"ffn_gate_inp.weight", "position_embd.weight",
                                              "token_types.weight", "ssm_conv1d.weight"};

bool is_float_type(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF16 || type == ElementType::kBF16;
}

bool is_matrix(const TensorInfo& tensor) {
  if (tensor.shape.size() < 2 || !tensor.name.ends_with(".weight")) return false;
  if (tensor.name.find("_norm.") != std::string::npos) return false;
  return std::ranges::none_of(kKeptMatrices,
                              [&](std::string_view name) { return tensor.name.ends_with(name); });
}

/// `type`, or what is stored in its place where rows of `cols` are no whole blocks of it.
ElementType fitting(ElementType type, std::uint64_t cols) {
  while (cols % info(type).block_values != 0) {
    type = std::ranges::find(kTargets, type, &TargetRow::type)->otherwise;
  }
  return type;
}

/// The values of a tensor in another type, row by row.
class Encoded final : public TensorMaker {
 public:
  Encoded(TensorInfo from, ElementType type) : from_(std::move(from)), type_(type) {}

  void make(std::span<std::byte> out) const override {
    const TensorBytes stored(from_);
    const auto cols = static_cast<std::size_t>(from_.cols());
    const std::size_t row_in = bytes_of(from_.type, cols);
    const std::size_t row_out = bytes_of(type_, cols);
    std::vector<float> row(cols);
    for (std::size_t r = 0; r * row_out < out.size(); ++r) {
      info(from_.type).decode(stored.view().data() + r * row_in, cols, row.data());
      info(type_).encode(row.data(), cols, out.data() + r * row_out);
    }
  }
  std::span<const std::byte> source() const override { return from_.source(); }

 private:
  TensorInfo from_;
  ElementType type_;
};

/// `tensor` in `type`; itself where it is so already.
TensorInfo encoded(const TensorInfo& tensor, ElementType type) {
  if (tensor.type == type) return tensor;
  TensorInfo made = tensor;
  made.type = type;
  made.bytes = {};
  made.maker = std::make_shared<const Encoded>(tensor, type);
  return made;
}

}  // namespace

std::vector<std::string_view> quantized_type_names() {
  std::vector<std::string_view> names;
  for (const TargetRow& row : kTargets) names.push_back(info(row.type).name);
  return names;
}

Result<ElementType> parse_quantized_type(std::string_view name) {
  for (const TargetRow& row : kTargets) {
    if (info(row.type).name == name) return row.type;
  }
  return invalid_argument(fmt::format("\"{}\" is no type that matrices are stored in; {} are",
                                      printable(name), fmt::join(quantized_type_names(), ", ")));
}

Result<ModelFile> quantized(const ModelFile& file, ElementType type,
                            std::vector<std::string>& notes) {
  std::vector<TensorInfo> tensors;
  std::map<std::string_view, std::size_t> others;  // tensors by the type taken in place of `type`
  for (const TensorInfo& tensor : file.tensors()) {
    if (!is_float_type(tensor.type)) {
      return unsupported(fmt::format(
          "tensor {} is {} already; a model in F32, F16 or BF16 is expected, as errors of two "
          "types would add up",
          printable(tensor.name), info(tensor.type).name));
    }
    if (!is_matrix(tensor)) {
      tensors.push_back(encoded(tensor, ElementType::kF32));
      continue;
    }
    const ElementType fits = fitting(type, tensor.cols());
    if (fits != type) ++others[info(fits).name];
    tensors.push_back(encoded(tensor, fits));
  }
  for (const auto& [name, count] : others) {
    notes.push_back(fmt::format("{} matrices are {}: their rows are no whole blocks of {} values",
                                count, name, info(type).block_values));
  }
  return file.remade(file.metadata(), std::move(tensors),
                     fmt::format("matrices in {}", info(type).name));
}

}  // namespace cairn::formats
