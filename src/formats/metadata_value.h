// One value of a model file's metadata with the type it was stored with.
//
// Adding a stored type: an enumerator, an alternative of MetadataValue, a row in
// metadata_value.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::formats {

/// How a value is stored. The numbers are GGUF's (gguf specification, enum
/// gguf_metadata_value_type).
enum class MetadataType : std::uint32_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12,
};

/// "uint32", "array", ... or empty for a number that is no type.
std::string_view name_of(MetadataType type);

/// Bytes of one stored number or boolean of `type`; 0 for strings and arrays.
std::size_t size_of(MetadataType type);

/// Many strings in one allocation.
class StringList {
 public:
  /// Appends a copy of `text`.
  void add(std::string_view text);
  std::size_t size() const { return ends_.size(); }
  /// Valid until the list changes or goes.
  std::string_view operator[](std::size_t index) const;

  bool operator==(const StringList&) const = default;

 private:
  std::string text_;
  std::vector<std::uint64_t> ends_;
};

/// An array value: numbers as little-endian bytes, strings, or arrays; only one of the three lists
/// is in use, as `element_type` says.
struct MetadataArray {
  MetadataType element_type = MetadataType::kU8;
  std::vector<std::byte> numbers;
  StringList strings;
  std::vector<MetadataArray> arrays;

  /// Number of elements.
  std::size_t size() const;
  bool operator==(const MetadataArray&) const = default;
};

/// A value with its stored type; the alternatives stand in the order of MetadataType.
using MetadataValue = std::variant<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t,
                                   std::uint32_t, std::int32_t, float, bool, std::string,
                                   MetadataArray, std::uint64_t, std::int64_t, double>;

/// The stored type of `value`.
MetadataType type_of(const MetadataValue& value);

/// "array of uint8", "string", "uint32": a value's type in words.
std::string describe_type(const MetadataValue& value);

/// Element `index` (below size()) of an array of numbers or booleans.
MetadataValue number_at(const MetadataArray& array, std::size_t index);

/// An array value of these elements. T: a number type of MetadataValue, bool or std::string.
template <typename T>
MetadataArray array_of(const std::vector<T>& values);

}  // namespace cairn::formats
