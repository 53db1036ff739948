// Structs into JSON, with the keys in the order of their describe() (see decode.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "evidence/wire/decode.h"
#include "evidence/wire/value.h"

namespace cairn::evidence {

/// Each gives the tree of one value; numbers get their canonical spelling.
Value encode_value(const std::string& value);
Value encode_value(bool value);
Value encode_value(std::int64_t value);
Value encode_value(std::uint64_t value);
Value encode_value(double value);
Value encode_value(const Value& value);
template <typename T>
Value encode_value(const std::vector<T>& values);
template <Struct T>
Value encode_value(const T& value);

/// True for what a key that is "omitted when 0" or "omitted when empty" leaves out.
template <typename T>
bool is_zero(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value == T{};
  } else {
    return value.empty();
  }
}

/// Collects the members of one object.
class EncodeObject {
 public:
  template <typename T>
  void field(std::string_view key, const T& value) {
    members_.push_back({.key = std::string(key), .value = encode_value(value)});
  }
  template <typename T>
  void optional(std::string_view key, const T& value) {
    field(key, value);
  }
  template <typename T>
  void optional(std::string_view key, const std::optional<T>& value) {
    if (value) field(key, *value);
  }
  template <typename T>
  void omit_zero(std::string_view key, const T& value) {
    if (!is_zero(value)) field(key, value);
  }
  template <typename T>
  void nullable(std::string_view key, const std::optional<T>& value) {
    field(key, value ? encode_value(*value) : Value());
  }
  template <typename T>
  void list(std::string_view key, const std::vector<T>& values) {
    field(key, values);
  }
  template <typename T>
  void optional_list(std::string_view key, const std::vector<T>& values) {
    omit_zero(key, values);
  }

  Value take() && { return Value(std::move(members_)); }

 private:
  Value::Object members_;
};

/// An array, item by item.
template <typename T>
Value encode_value(const std::vector<T>& values) {
  Value::Array items;
  items.reserve(values.size());
  for (const T& value : values) items.push_back(encode_value(value));
  return Value(std::move(items));
}

/// An object by its describe().
template <Struct T>
Value encode_value(const T& value) {
  EncodeObject writer;
  describe(writer, value);
  return std::move(writer).take();
}

/// The compact canonical form that digests are taken of (J-20..J-22).
template <typename T>
std::string canonical_text(const T& document) {
  return to_text(encode_value(document), Layout::kCompact);
}

/// The form of the command line: two blanks a level, one newline at the end.
template <typename T>
std::string document_text(const T& document) {
  return to_text(encode_value(document), Layout::kIndented) + "\n";
}

}  // namespace cairn::evidence
