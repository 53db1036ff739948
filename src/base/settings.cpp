#include "base/settings.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/ascii.h"
#include "base/nearest.h"

namespace cairn {
namespace {

constexpr std::array<std::string_view, 4> kOriginNames = {"default", "file", "environment", "flag"};
constexpr std::array<std::string_view, 4> kEffectNames = {"answer", "speed", "memory", "surface"};

Status refused(std::string_view text, std::string_view expected) {
  return invalid_argument(fmt::format("found \"{}\", expected {}", text, expected));
}

/// "a whole number of tokens from 1 to 64".
std::string expected_number(const SettingInfo& info, std::string_view kind) {
  const std::string range = detail::print_range(info);
  return fmt::format("{}{}{}{}{}", kind, info.unit.empty() ? "" : " of ", info.unit,
                     range.empty() ? "" : ", ", range);
}

template <typename T>
Status parse_number(const SettingInfo& info, std::string_view text, std::string_view kind,
                    T& value) {
  T parsed = {};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed);
  const auto number = static_cast<double>(parsed);
  const bool right = error == std::errc() && stop == end && !text.empty() && std::isfinite(number);
  if (!right || number < info.min || number > info.max) {
    return refused(text, expected_number(info, kind));
  }
  value = parsed;
  return {};
}

bool has_choice(std::string_view choices, std::string_view text) {
  while (!choices.empty()) {
    const std::size_t bar = choices.find('|');
    if (choices.substr(0, bar) == text) return true;
    if (bar == std::string_view::npos) return false;
    choices.remove_prefix(bar + 1);
  }
  return false;
}

/// A table cell: "|" would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string_view name_of(Origin origin) { return kOriginNames[static_cast<std::size_t>(origin)]; }

std::string_view name_of(Effect effect) { return kEffectNames[static_cast<std::size_t>(effect)]; }

void SettingOrigins::set(std::string_view name, Origin origin) {
  origins_.insert_or_assign(std::string(name), origin);
}

Origin SettingOrigins::of(std::string_view name) const {
  const auto found = origins_.find(name);
  return found == origins_.end() ? Origin::kDefault : found->second;
}

std::string environment_name(std::string_view setting) {
  std::string name = "CAIRN_";
  for (const char c : setting) {
    const bool lower = c >= 'a' && c <= 'z';
    name += c == '-' ? '_' : static_cast<char>(lower ? c - 'a' + 'A' : c);
  }
  return name;
}

std::string written_name(std::string_view setting, Origin origin) {
  if (origin == Origin::kFlag) return "--" + std::string(setting);
  return origin == Origin::kEnvironment ? environment_name(setting) : std::string(setting);
}

Result<std::vector<SettingText>> parse_settings_file(std::string_view text) {
  std::vector<SettingText> values;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    std::string_view content = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    content = trimmed(content.substr(0, content.find('#')));
    if (content.empty()) continue;
    const std::size_t equals = content.find('=');
    if (equals == std::string_view::npos || trimmed(content.substr(0, equals)).empty()) {
      return invalid_argument(
          fmt::format("line {}: found \"{}\", expected \"name = value\"", line, content));
    }
    values.push_back({.name = trimmed(content.substr(0, equals)),
                      .value = trimmed(content.substr(equals + 1)),
                      .origin = Origin::kFile});
  }
  return values;
}

std::string settings_table(std::span<const SettingRow> rows) {
  std::string page =
      "| setting | variable | type | range | default | changes | what it does |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const SettingRow& row : rows) {
    const std::string type = row.info.unit.empty() ? std::string(row.type)
                                                   : fmt::format("{}, {}", row.type, row.info.unit);
    page += fmt::format("| `--{}` | `{}` | {} | {} | {} | {} | {} |\n", row.info.name,
                        environment_name(row.info.name), type, cell(row.range),
                        cell(row.default_text), name_of(row.info.effect), cell(row.info.sentence));
  }
  return page;
}

namespace detail {

Status parse_setting(const SettingInfo&, std::string_view text, bool& value) {
  if (text != "on" && text != "true" && text != "1" && text != "off" && text != "false" &&
      text != "0") {
    return refused(text, "on, true, 1, off, false or 0");
  }
  value = text == "on" || text == "true" || text == "1";
  return {};
}

Status parse_setting(const SettingInfo& info, std::string_view text, std::int64_t& value) {
  return parse_number(info, text, "a whole number", value);
}

Status parse_setting(const SettingInfo& info, std::string_view text, std::uint64_t& value) {
  const bool bounded = std::isfinite(info.min);
  return parse_number(info, text, bounded ? "a whole number" : "a whole number from 0", value);
}

Status parse_setting(const SettingInfo& info, std::string_view text, double& value) {
  return parse_number(info, text, "a number", value);
}

Status parse_setting(const SettingInfo& info, std::string_view text, std::string& value) {
  if (!info.choices.empty() && !has_choice(info.choices, text)) {
    return refused(text, "one of " + std::string(info.choices));
  }
  value = text;
  return {};
}

std::string print_setting(bool value) { return value ? "on" : "off"; }
std::string print_setting(std::int64_t value) { return std::to_string(value); }
std::string print_setting(std::uint64_t value) { return std::to_string(value); }
std::string print_setting(double value) { return fmt::format("{}", value); }
std::string print_setting(const std::string& value) { return value; }

std::string print_range(const SettingInfo& info) {
  if (!info.choices.empty()) return std::string(info.choices);
  if (std::isfinite(info.min) && std::isfinite(info.max)) {
    return fmt::format("{} to {}", info.min, info.max);
  }
  if (std::isfinite(info.min)) return fmt::format("at least {}", info.min);
  return std::isfinite(info.max) ? fmt::format("at most {}", info.max) : std::string();
}

Status unknown_setting(const SettingText& text, std::span<const std::string> known) {
  const std::string near = did_you_mean(text.name, known);
  return invalid_argument(fmt::format("no setting is called \"{}\"{}", text.name,
                                      near.empty() ? "; `cairn settings` lists them" : near));
}

}  // namespace detail
}  // namespace cairn
