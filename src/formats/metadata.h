// Metadata: a model file's keys and typed values, in the file's order.
//
// Purpose     the one way the rest of cairn reads what a file says about itself.
// Invariants  keys are unique; a value keeps the type it was stored with; a typed read converts
//             only where the value stays the same, and else names the key and the type found.
// Threads     a value; reading from many threads is fine.
// Adding      a stored type: metadata_value.h says how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "formats/metadata_value.h"

namespace cairn::formats {

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
