#include "formats/huggingface/config_json.h"

#include <fmt/core.h>

#include <utility>

#include "base/file.h"
#include "formats/quote.h"

namespace cairn::formats {
namespace {

/// Larger ones are no configuration; keys are looked for one by one.
constexpr std::uint64_t kConfigBytesMax = std::uint64_t{1} << 19;

}  // namespace

ConfigJson::ConfigJson(Json object, std::string where)
    : object_(std::move(object)), where_(std::move(where)) {}

Result<std::optional<ConfigJson>> ConfigJson::read(const std::string& path) {
  const Result<std::string> text = read_file(path, kConfigBytesMax);
  if (text.status().code() == StatusCode::kNotFound) return std::optional<ConfigJson>();
  if (!text.ok()) return text.status();
  Result<Json> json = parse_json(*text);
  if (!json.ok()) return invalid_file(fmt::format("{}: {}", path, json.status().message()));
  if (!json->is_object()) {
    return invalid_file(
        fmt::format("{}: found {}; an object is expected", path, json->type_name()));
  }
  return std::optional<ConfigJson>(ConfigJson(std::move(json).value(), path));
}

const Json* ConfigJson::find(std::string_view key) {
  read_.emplace(key);
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

bool ConfigJson::has(std::string_view key) const {
  const auto found = object_.find(key);
  return found != object_.end() && !found->is_null();
}

Status ConfigJson::refuse(std::string_view key, std::string_view expected) const {
  const auto found = object_.find(key);
  if (found == object_.end() || found->is_null()) {
    return invalid_file(
        fmt::format("{}: \"{}\" is missing; {} is expected", where_, key, expected));
  }
  return invalid_file(fmt::format("{}: \"{}\" is {}; {} is expected", where_, key,
                                  printable(line_of(*found)), expected));
}

Result<std::uint64_t> ConfigJson::count(std::string_view key) {
  const Json* value = find(key);
  if (value != nullptr && value->is_number_unsigned()) return value->get<std::uint64_t>();
  return refuse(key, "a whole number of 0 or more");
}

Result<double> ConfigJson::real(std::string_view key) {
  const Json* value = find(key);
  if (value != nullptr && value->is_number()) return value->get<double>();
  return refuse(key, "a number");
}

Result<std::string> ConfigJson::text(std::string_view key) {
  const Json* value = find(key);
  if (value != nullptr && value->is_string()) return value->get<std::string>();
  return refuse(key, "a string");
}

Result<std::uint64_t> ConfigJson::count_or(std::string_view key, std::uint64_t otherwise) {
  return find(key) == nullptr ? Result<std::uint64_t>(otherwise) : count(key);
}

Result<double> ConfigJson::real_or(std::string_view key, double otherwise) {
  return find(key) == nullptr ? Result<double>(otherwise) : real(key);
}

Result<std::string> ConfigJson::text_or(std::string_view key, std::string_view otherwise) {
  return find(key) == nullptr ? Result<std::string>(std::string(otherwise)) : text(key);
}

Result<bool> ConfigJson::boolean_or(std::string_view key, bool otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  return refuse(key, "true or false");
}

Result<ConfigJson> ConfigJson::object_or_empty(std::string_view key) {
  const Json* value = find(key);
  if (value == nullptr) return ConfigJson(Json::object(), fmt::format("{}: {}", where_, key));
  if (value->is_object()) return ConfigJson(*value, fmt::format("{}: {}", where_, key));
  return refuse(key, "an object");
}

std::string ConfigJson::unread() const {
  std::string names;
  for (const auto& [key, value] : object_.items()) {
    if (value.is_null() || read_.contains(key)) continue;
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", printable(key));
  }
  return names;
}

}  // namespace cairn::formats
