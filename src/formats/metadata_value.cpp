#include "formats/metadata_value.h"

#include <fmt/core.h>

#include <array>
#include <cstring>
#include <type_traits>

#include "base/status.h"

namespace cairn::formats {
namespace {

struct TypeRow {
  std::string_view name;
  std::size_t bytes = 0;
};

// In the order of MetadataType.
constexpr std::array<TypeRow, 13> kTypes = {{{"uint8", 1},
                                             {"int8", 1},
                                             {"uint16", 2},
                                             {"int16", 2},
                                             {"uint32", 4},
                                             {"int32", 4},
                                             {"float32", 4},
                                             {"bool", 1},
                                             {"string", 0},
                                             {"array", 0},
                                             {"uint64", 8},
                                             {"int64", 8},
                                             {"float64", 8}}};

std::string type_in_words(const MetadataArray& array) {
  return fmt::format("array of {}", name_of(array.element_type));
}

template <typename T>
MetadataValue load(const std::byte* at) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

std::string_view name_of(MetadataType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < kTypes.size() ? kTypes[index].name : std::string_view();
}

std::size_t size_of(MetadataType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < kTypes.size() ? kTypes[index].bytes : 0;
}

void StringList::add(std::string_view text) {
  text_.append(text);
  ends_.push_back(text_.size());
}

std::string_view StringList::operator[](std::size_t index) const {
  const std::uint64_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(begin, ends_[index] - begin);
}

std::size_t MetadataArray::size() const {
  if (element_type == MetadataType::kString) return strings.size();
  if (element_type == MetadataType::kArray) return arrays.size();
  const std::size_t bytes = size_of(element_type);
  return bytes == 0 ? 0 : numbers.size() / bytes;
}

MetadataType type_of(const MetadataValue& value) {
  return static_cast<MetadataType>(value.index());
}

std::string describe_type(const MetadataValue& value) {
  if (const auto* array = std::get_if<MetadataArray>(&value)) return type_in_words(*array);
  return std::string(name_of(type_of(value)));
}

MetadataValue number_at(const MetadataArray& array, std::size_t index) {
  const std::byte* at = array.numbers.data() + index * size_of(array.element_type);
  switch (array.element_type) {
    case MetadataType::kU8:
      return load<std::uint8_t>(at);
    case MetadataType::kI8:
      return load<std::int8_t>(at);
    case MetadataType::kU16:
      return load<std::uint16_t>(at);
    case MetadataType::kI16:
      return load<std::int16_t>(at);
    case MetadataType::kU32:
      return load<std::uint32_t>(at);
    case MetadataType::kI32:
      return load<std::int32_t>(at);
    case MetadataType::kF32:
      return load<float>(at);
    case MetadataType::kBool:
      return *at != std::byte{0};
    case MetadataType::kU64:
      return load<std::uint64_t>(at);
    case MetadataType::kI64:
      return load<std::int64_t>(at);
    case MetadataType::kF64:
      return load<double>(at);
    case MetadataType::kString:
    case MetadataType::kArray:
      break;
  }
  CAIRN_CHECK(false && "an array of numbers");
  return {};
}

template <typename T>
MetadataArray array_of(const std::vector<T>& values) {
  MetadataArray array;
  array.element_type = type_of(MetadataValue(T{}));
  for (const T& value : values) {
    if constexpr (std::is_same_v<T, std::string>) {
      array.strings.add(value);
    } else {
      const auto* bytes = reinterpret_cast<const std::byte*>(&value);
      array.numbers.insert(array.numbers.end(), bytes, bytes + sizeof value);
    }
  }
  return array;
}

template <>
MetadataArray array_of<bool>(const std::vector<bool>& values) {
  MetadataArray array;
  array.element_type = MetadataType::kBool;
  for (const bool value : values) array.numbers.push_back(std::byte{value});
  return array;
}

template MetadataArray array_of(const std::vector<std::uint8_t>&);
template MetadataArray array_of(const std::vector<std::int8_t>&);
template MetadataArray array_of(const std::vector<std::uint16_t>&);
template MetadataArray array_of(const std::vector<std::int16_t>&);
template MetadataArray array_of(const std::vector<std::uint32_t>&);
template MetadataArray array_of(const std::vector<std::int32_t>&);
template MetadataArray array_of(const std::vector<std::uint64_t>&);
template MetadataArray array_of(const std::vector<std::int64_t>&);
template MetadataArray array_of(const std::vector<float>&);
template MetadataArray array_of(const std::vector<double>&);
template MetadataArray array_of(const std::vector<std::string>&);

}  // namespace cairn::formats
