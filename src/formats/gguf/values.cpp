#include "formats/gguf/values.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "formats/quote.h"

namespace cairn::formats {
namespace {

constexpr std::uint64_t kKeyBytesMax = 65535;          // the specification's bound
constexpr std::uint64_t kStringBytesMax = 1ULL << 30;  // ggml's bound
constexpr std::uint64_t kEntryBytesMin = 8 + 4 + 1;    // key length, type, one-byte value
constexpr std::uint64_t kStringHeadBytes = 8;          // length
constexpr std::uint64_t kArrayHeadBytes = 4 + 8;       // element type, count
// In memory an array takes about ten times its smallest size in a file.
constexpr std::uint64_t kInnerArraysMax = 1'000'000;
constexpr int kDepthMax = 8;
constexpr std::uint64_t kKeysMax = 65536;  // files have about 50

/// Reads the values of one file and counts what they cost.
class ValueReader {
 public:
  explicit ValueReader(Cursor& cursor) : cursor_(cursor) {}

  Result<MetadataValue> value(MetadataType type);

 private:
  Result<MetadataValue> boolean();
  Result<MetadataValue> text();
  Result<MetadataValue> outer_array();
  Result<MetadataArray> array(int depth);
  Status read_numbers(MetadataArray& array, std::uint64_t count);
  Status read_strings(MetadataArray& array, std::uint64_t count);
  Status read_arrays(MetadataArray& array, std::uint64_t count, int depth);

  template <typename T>
  Result<MetadataValue> scalar() {
    CAIRN_ASSIGN(const T number, cursor_.number<T>("a value"));
    return MetadataValue(number);
  }

  Cursor& cursor_;
  std::uint64_t inner_arrays_ = 0;
};

Status check_type(std::uint32_t type, std::string_view what) {
  if (!name_of(static_cast<MetadataType>(type)).empty()) return {};
  return invalid_file(fmt::format("{} {} is unknown; 0 to 12 are accepted", what, type));
}

Status check_bool(std::byte value) {
  if (std::to_integer<unsigned>(value) <= 1) return {};
  return invalid_file(
      fmt::format("a bool holds {}; 0 or 1 is accepted", std::to_integer<unsigned>(value)));
}

Result<MetadataValue> ValueReader::value(MetadataType type) {
  switch (type) {
    case MetadataType::kU8:
      return scalar<std::uint8_t>();
    case MetadataType::kI8:
      return scalar<std::int8_t>();
    case MetadataType::kU16:
      return scalar<std::uint16_t>();
    case MetadataType::kI16:
      return scalar<std::int16_t>();
    case MetadataType::kU32:
      return scalar<std::uint32_t>();
    case MetadataType::kI32:
      return scalar<std::int32_t>();
    case MetadataType::kF32:
      return scalar<float>();
    case MetadataType::kU64:
      return scalar<std::uint64_t>();
    case MetadataType::kI64:
      return scalar<std::int64_t>();
    case MetadataType::kF64:
      return scalar<double>();
    case MetadataType::kBool:
      return boolean();
    case MetadataType::kString:
      return text();
    case MetadataType::kArray:
      return outer_array();
  }
  return internal_error("a metadata type that was checked is unknown");
}

Result<MetadataValue> ValueReader::boolean() {
  CAIRN_ASSIGN(const std::byte flag, cursor_.number<std::byte>("a bool"));
  CAIRN_TRY(check_bool(flag));
  return MetadataValue(flag != std::byte{0});
}

Result<MetadataValue> ValueReader::text() {
  CAIRN_ASSIGN(const std::string_view bytes, cursor_.string("a string", kStringBytesMax));
  return MetadataValue(std::string(bytes));
}

Result<MetadataValue> ValueReader::outer_array() {
  CAIRN_ASSIGN(MetadataArray list, array(1));
  return MetadataValue(std::move(list));
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by kDepthMax
Result<MetadataArray> ValueReader::array(int depth) {
  if (depth > kDepthMax) {
    return invalid_file(fmt::format("arrays lie more than {} deep inside each other", kDepthMax));
  }
  CAIRN_ASSIGN(const auto type, cursor_.number<std::uint32_t>("an array's element type"));
  CAIRN_TRY(check_type(type, "element type"));
  CAIRN_ASSIGN(const auto count, cursor_.number<std::uint64_t>("an array's length"));
  MetadataArray array;
  array.element_type = static_cast<MetadataType>(type);
  if (array.element_type == MetadataType::kString) {
    CAIRN_TRY(read_strings(array, count));
  } else if (array.element_type == MetadataType::kArray) {
    CAIRN_TRY(read_arrays(array, count, depth));
  } else {
    CAIRN_TRY(read_numbers(array, count));
  }
  return array;
}

Status ValueReader::read_numbers(MetadataArray& array, std::uint64_t count) {
  const std::uint64_t size = size_of(array.element_type);
  CAIRN_TRY(cursor_.check_count(count, size, "array elements"));
  CAIRN_ASSIGN(const auto bytes, cursor_.take(count * size, "an array"));
  if (array.element_type == MetadataType::kBool) {
    for (const std::byte flag : bytes) CAIRN_TRY(check_bool(flag));
  }
  array.numbers.assign(bytes.begin(), bytes.end());
  return {};
}

Status ValueReader::read_strings(MetadataArray& array, std::uint64_t count) {
  CAIRN_TRY(cursor_.check_count(count, kStringHeadBytes, "strings of an array"));
  for (std::uint64_t i = 0; i < count; ++i) {
    CAIRN_ASSIGN(const auto text, cursor_.string("a string of an array", kStringBytesMax));
    array.strings.add(text);
  }
  return {};
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by kDepthMax
Status ValueReader::read_arrays(MetadataArray& outer, std::uint64_t count, int depth) {
  CAIRN_TRY(cursor_.check_count(count, kArrayHeadBytes, "arrays of an array"));
  for (std::uint64_t i = 0; i < count; ++i) {
    if (++inner_arrays_ > kInnerArraysMax) {
      return invalid_file(
          fmt::format("more than {} arrays lie inside other arrays", kInnerArraysMax));
    }
    CAIRN_ASSIGN(MetadataArray inner, array(depth + 1));
    outer.arrays.push_back(std::move(inner));
  }
  return {};
}

}  // namespace

Result<Metadata> read_metadata(Cursor& cursor, std::uint64_t count) {
  CAIRN_TRY(cursor.check_count(count, kEntryBytesMin, "metadata keys"));
  if (count > kKeysMax) {
    return too_large(
        fmt::format("{} metadata keys; at most {} are accepted in a file", count, kKeysMax));
  }
  Metadata metadata;
  ValueReader reader(cursor);
  for (std::uint64_t i = 0; i < count; ++i) {
    CAIRN_ASSIGN(const auto key, cursor.string(fmt::format("metadata key {}", i), kKeyBytesMax));
    if (key.empty()) return invalid_file(fmt::format("metadata key {} is empty", i));
    const std::string name = fmt::format("key {}", printable(key));
    if (metadata.has(key)) return invalid_file(name + ": the file holds this key twice");
    CAIRN_ASSIGN(const auto type, cursor.number<std::uint32_t>(name));
    if (Status status = check_type(type, "value type"); !status.ok()) return status.in(name);
    Result<MetadataValue> value = reader.value(static_cast<MetadataType>(type));
    if (!value.ok()) return value.status().in(name);
    metadata.set(key, std::move(value).value());
  }
  return metadata;
}

}  // namespace cairn::formats
