#include "formats/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "formats/quote.h"

namespace cairn::formats {
namespace {

constexpr std::size_t kShownBytesMax = 200;
constexpr std::size_t kElementBytesMax = 40;
constexpr std::size_t kElementsMax = 6;

std::string words_of(const MetadataValue& value);

// NOLINTNEXTLINE(misc-no-recursion): as deep as the file's value, which its reader bounds
std::string element(const MetadataArray& array, std::size_t index) {
  if (array.element_type == MetadataType::kString) {
    return fmt::format("\"{}\"", printable(array.strings[index], kElementBytesMax));
  }
  if (array.element_type == MetadataType::kArray) return words_of(array.arrays[index]);
  return words_of(number_at(array, index));
}

// NOLINTNEXTLINE(misc-no-recursion): as element()
std::string words_of_array(const MetadataArray& array) {
  std::string out = fmt::format("[{}]", array.size());
  const std::size_t shown = std::min(array.size(), kElementsMax);
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? " " : ", ") + element(array, i);
  if (shown < array.size()) out += ", ...";
  return out;
}

// NOLINTNEXTLINE(misc-no-recursion): as element()
std::string words_of(const MetadataValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return printable(*text, kShownBytesMax);
  if (const auto* array = std::get_if<MetadataArray>(&value)) return words_of_array(*array);
  return std::visit(
      [](const auto& v) -> std::string {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(v)>>) {
          return fmt::to_string(v);
        } else {
          return {};
        }
      },
      value);
}

TensorRow row_of(const TensorInfo& tensor) {
  return {.name = printable(tensor.name, 255),
          .type = std::string(info(tensor.type).name),
          .shape = tensor.shape,
          .values = tensor.rows() * tensor.cols(),
          .bytes = tensor.byte_size()};
}

void add_to(std::vector<TypeRow>& types, const TensorRow& tensor) {
  auto row = std::find_if(types.begin(), types.end(),
                          [&](const TypeRow& type) { return type.type == tensor.type; });
  if (row == types.end()) row = types.insert(types.end(), {.type = tensor.type});
  row->tensors += 1;
  row->values += tensor.values;
  row->bytes += tensor.bytes;
}

}  // namespace

Description describe(const ModelFile& model) {
  Description out;
  for (const std::string_view key : model.metadata().keys()) {
    const MetadataValue& value = *model.metadata().find(key);
    out.metadata.push_back(
        {.key = printable(key), .type = describe_type(value), .value = words_of(value)});
  }
  for (const TensorInfo& tensor : model.tensors()) {
    out.tensors.push_back(row_of(tensor));
    add_to(out.types, out.tensors.back());
    out.values += out.tensors.back().values;
    out.tensor_bytes += out.tensors.back().bytes;
  }
  std::stable_sort(out.types.begin(), out.types.end(),
                   [](const TypeRow& a, const TypeRow& b) { return a.bytes > b.bytes; });
  out.file_bytes = model.file_bytes();
  out.files = model.file_count();
  return out;
}

}  // namespace cairn::formats
