// Metadata: a model file's keys and typed values, in the file's order.
//
// Purpose     the one way the rest of cairn reads what a file says about itself.
// Invariants  keys are unique; a value keeps the type it was stored with; a typed read converts
//             only where the value stays the same, and else names the key and the type found.
// Threads     a value; reading from many threads is fine.
// Adding      a stored type: an enumerator, an alternative of MetadataValue, a row in metadata.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/status.h"

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

class Metadata {
 public:
  bool has(std::string_view key) const { return find(key) != nullptr; }

  /// The stored value or nullptr; valid until the next set().
  const MetadataValue* find(std::string_view key) const;

  /// Keys in the order of the file; valid until the next set().
  std::vector<std::string_view> keys() const;

  /// Typed reads. Errors: kNotFound naming the key; kInvalidFile naming key, type or value found
  /// and what is accepted. Any integer type is read where the value fits.
  Result<std::uint64_t> u64(std::string_view key) const;
  Result<std::int64_t> i64(std::string_view key) const;
  /// Floats of both sizes, and integers that a double holds exactly.
  Result<double> f64(std::string_view key) const;
  Result<bool> boolean(std::string_view key) const;
  /// Strings are valid until the next set(). They may hold any bytes. Arrays convert between
  /// integer types and between float types, and not from one to the other.
  Result<std::string_view> string(std::string_view key) const;
  Result<std::vector<std::string_view>> strings(std::string_view key) const;
  Result<std::vector<double>> f64s(std::string_view key) const;
  Result<std::vector<std::int64_t>> i64s(std::string_view key) const;
  Result<std::vector<bool>> booleans(std::string_view key) const;

  /// The same reads where a missing key means `otherwise`; a wrong type is still an error.
  Result<std::uint64_t> u64_or(std::string_view key, std::uint64_t otherwise) const;
  Result<double> f64_or(std::string_view key, double otherwise) const;
  Result<bool> boolean_or(std::string_view key, bool otherwise) const;
  Result<std::string_view> string_or(std::string_view key, std::string_view otherwise) const;

  /// Adds a key at the end, or replaces its value where it stands.
  void set(std::string_view key, MetadataValue value);

 private:
  struct Entry {
    std::string key;
    MetadataValue value;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> index_;
};

}  // namespace cairn::formats
