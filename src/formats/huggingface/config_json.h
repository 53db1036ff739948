// ConfigJson: the keys of one JSON object, each read by name and none forgotten.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/status.h"

namespace cairn::formats {

class ConfigJson {
 public:
  /// `where` is what messages call the object: "config.json".
  ConfigJson(Json object, std::string where);

  /// Reads the object in the file `path`, or nothing where there is no such file.
  /// Errors: kInvalidFile for what is no JSON object; kIo; kTooLarge.
  static Result<std::optional<ConfigJson>> read(const std::string& path);

  /// The value of `key`; nullptr where it is missing or null. Counts as read.
  const Json* find(std::string_view key);
  bool has(std::string_view key) const;

  /// Errors: kInvalidFile naming the key: missing, or of another kind.
  Result<std::uint64_t> count(std::string_view key);
  Result<double> real(std::string_view key);
  Result<std::string> text(std::string_view key);
  /// The same where a missing key means `otherwise`.
  Result<std::uint64_t> count_or(std::string_view key, std::uint64_t otherwise);
  Result<double> real_or(std::string_view key, double otherwise);
  Result<bool> boolean_or(std::string_view key, bool otherwise);
  Result<std::string> text_or(std::string_view key, std::string_view otherwise);
  /// The object in `key`, empty where it is missing. Its keys are read apart from these.
  Result<ConfigJson> object_or_empty(std::string_view key);

  /// The keys that nobody read and whose value is not null, separated by commas.
  std::string unread() const;
  /// The whole object on one line.
  std::string text_of_all() const { return line_of(object_); }
  const std::string& where() const { return where_; }
  /// An error about `key`: "config.json: "hidden_act" is "relu"; `expected` is expected".
  Status refuse(std::string_view key, std::string_view expected) const;

 private:
  Json object_;
  std::string where_;
  std::set<std::string, std::less<>> read_;
};

}  // namespace cairn::formats
