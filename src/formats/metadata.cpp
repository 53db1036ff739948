#include "formats/metadata.h"

#include <fmt/core.h>

#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "formats/quote.h"

namespace cairn::formats {
namespace {

template <typename T>
constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

Status missing(std::string_view key) {
  return not_found(fmt::format("key {} is missing", printable(key)));
}

Status wrong_type(std::string_view key, const MetadataValue& value, std::string_view accepted) {
  return invalid_file(fmt::format("key {} is stored as {}; {} is accepted", printable(key),
                                  describe_type(value), accepted));
}

/// An integer of any stored type: its sign apart, so that both 64-bit types fit.
struct Integer {
  bool negative = false;
  std::uint64_t bits = 0;  // two's complement
};

std::optional<Integer> as_integer(const MetadataValue& value) {
  return std::visit(
      [](const auto& v) -> std::optional<Integer> {
        using T = std::decay_t<decltype(v)>;
        if constexpr (kIsInteger<T>) {
          return Integer{.negative = std::is_signed_v<T> && static_cast<std::int64_t>(v) < 0,
                         .bits = static_cast<std::uint64_t>(v)};
        } else {
          return std::nullopt;
        }
      },
      value);
}

std::optional<std::int64_t> as_i64(Integer value) {
  if (!value.negative && value.bits > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(value.bits);
}

std::optional<double> as_float(const MetadataValue& value) {
  if (const auto* single = std::get_if<float>(&value)) return static_cast<double>(*single);
  if (const auto* whole = std::get_if<double>(&value)) return *whole;
  return std::nullopt;
}

bool is_integer(MetadataType type) {
  return size_of(type) != 0 && type != MetadataType::kF32 && type != MetadataType::kF64 &&
         type != MetadataType::kBool;
}

Status too_big(std::string_view key, std::uint64_t value) {
  return invalid_file(fmt::format("key {} holds {}; at most {} is accepted", printable(key), value,
                                  std::numeric_limits<std::int64_t>::max()));
}

/// `otherwise` where the key is missing; any other error stays.
template <typename T>
Result<T> or_else(Result<T> result, T otherwise) {
  if (result.status().code() == StatusCode::kNotFound) return otherwise;
  return result;
}

}  // namespace

const MetadataValue* Metadata::find(std::string_view key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? nullptr : &entries_[found->second].value;
}

std::vector<std::string_view> Metadata::keys() const {
  std::vector<std::string_view> keys;
  keys.reserve(entries_.size());
  for (const Entry& entry : entries_) keys.emplace_back(entry.key);
  return keys;
}

Result<std::uint64_t> Metadata::u64(std::string_view key) const {
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  const std::optional<Integer> integer = as_integer(*value);
  if (!integer) return wrong_type(key, *value, "an integer");
  if (integer->negative) {
    return invalid_file(fmt::format("key {} holds {}; an integer of 0 or more is accepted",
                                    printable(key), static_cast<std::int64_t>(integer->bits)));
  }
  return integer->bits;
}

Result<std::int64_t> Metadata::i64(std::string_view key) const {
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  const std::optional<Integer> integer = as_integer(*value);
  if (!integer) return wrong_type(key, *value, "an integer");
  const std::optional<std::int64_t> result = as_i64(*integer);
  if (!result) return too_big(key, integer->bits);
  return *result;
}

Result<double> Metadata::f64(std::string_view key) const {
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  if (const std::optional<double> number = as_float(*value)) return *number;
  const std::optional<Integer> integer = as_integer(*value);
  if (!integer) return wrong_type(key, *value, "a number");
  // Every whole number up to 2^53 is a double.
  constexpr std::uint64_t kExact = 1ULL << 53;
  const std::uint64_t size = integer->negative ? 0 - integer->bits : integer->bits;
  if (size > kExact) return too_big(key, size);
  return integer->negative ? -static_cast<double>(size) : static_cast<double>(size);
}

Result<bool> Metadata::boolean(std::string_view key) const {
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  if (const bool* flag = std::get_if<bool>(value)) return *flag;
  return wrong_type(key, *value, "bool");
}

Result<std::string_view> Metadata::string(std::string_view key) const {
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  if (const auto* text = std::get_if<std::string>(value)) return std::string_view(*text);
  return wrong_type(key, *value, "string");
}

Result<std::vector<std::string_view>> Metadata::strings(std::string_view key) const {
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  const auto* array = std::get_if<MetadataArray>(value);
  if (array == nullptr || array->element_type != MetadataType::kString) {
    return wrong_type(key, *value, "array of string");
  }
  std::vector<std::string_view> result(array->size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = array->strings[i];
  return result;
}

Result<std::vector<double>> Metadata::f64s(std::string_view key) const {
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  const auto* array = std::get_if<MetadataArray>(value);
  if (array == nullptr ||
      (array->element_type != MetadataType::kF32 && array->element_type != MetadataType::kF64)) {
    return wrong_type(key, *value, "array of float32 or float64");
  }
  std::vector<double> result(array->size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = as_float(number_at(*array, i)).value_or(0.0);
  }
  return result;
}

Result<std::vector<std::int64_t>> Metadata::i64s(std::string_view key) const {
  constexpr std::string_view kAccepted = "an array of an integer type";
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  const auto* array = std::get_if<MetadataArray>(value);
  if (array == nullptr || !is_integer(array->element_type)) {
    return wrong_type(key, *value, kAccepted);
  }
  std::vector<std::int64_t> result(array->size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Integer integer = as_integer(number_at(*array, i)).value_or(Integer{});
    const std::optional<std::int64_t> number = as_i64(integer);
    if (!number) return too_big(fmt::format("{}[{}]", key, i), integer.bits);
    result[i] = *number;
  }
  return result;
}

Result<std::vector<bool>> Metadata::booleans(std::string_view key) const {
  const MetadataValue* value = find(key);
  if (value == nullptr) return missing(key);
  const auto* array = std::get_if<MetadataArray>(value);
  if (array == nullptr || array->element_type != MetadataType::kBool) {
    return wrong_type(key, *value, "array of bool");
  }
  std::vector<bool> result(array->size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = array->numbers[i] != std::byte{0};
  return result;
}

Result<std::uint64_t> Metadata::u64_or(std::string_view key, std::uint64_t otherwise) const {
  return or_else(u64(key), otherwise);
}

Result<double> Metadata::f64_or(std::string_view key, double otherwise) const {
  return or_else(f64(key), otherwise);
}

Result<bool> Metadata::boolean_or(std::string_view key, bool otherwise) const {
  return or_else(boolean(key), otherwise);
}

Result<std::string_view> Metadata::string_or(std::string_view key,
                                             std::string_view otherwise) const {
  return or_else(string(key), otherwise);
}

void Metadata::set(std::string_view key, MetadataValue value) {
  if (const auto found = index_.find(key); found != index_.end()) {
    entries_[found->second].value = std::move(value);
    return;
  }
  index_.emplace(key, entries_.size());
  entries_.push_back({.key = std::string(key), .value = std::move(value)});
}

}  // namespace cairn::formats
