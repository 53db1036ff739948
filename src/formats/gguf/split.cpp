#include "formats/gguf/split.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace cairn::formats {
namespace {

constexpr std::string_view kExample = "-00001-of-00003.gguf";
constexpr std::size_t kPartAt = 1;
constexpr std::size_t kCountAt = 10;
constexpr std::size_t kDigits = 5;

std::optional<std::uint32_t> parse_digits(std::string_view text) {
  const bool digits =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return std::nullopt;
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::optional<SplitName> parse_split_name(std::string_view path) {
  if (path.size() < kExample.size()) return std::nullopt;
  const std::string_view prefix = path.substr(0, path.size() - kExample.size());
  const std::string_view tail = path.substr(prefix.size());
  const std::optional<std::uint32_t> part = parse_digits(tail.substr(kPartAt, kDigits));
  const std::optional<std::uint32_t> count = parse_digits(tail.substr(kCountAt, kDigits));
  if (!part || !count || *part < 1 || *part > *count) return std::nullopt;
  SplitName name{.prefix = std::string(prefix), .part = *part, .count = *count};
  if (split_path(name, *part) != path) return std::nullopt;
  return name;
}

std::string split_path(const SplitName& name, std::uint32_t part) {
  return fmt::format("{}-{:05}-of-{:05}.gguf", name.prefix, part, name.count);
}

}  // namespace cairn::formats
