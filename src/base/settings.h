// Settings: configuration values, each declared once.
//
// Purpose     a setting is a field with its default and one visit line; the flag, the CAIRN_
//             variable, the config file, the help, the reference page and the records of a run are
//             all readers of that line.
// Invariants  a value is checked against its range before it is stored; a refused one changes
//             nothing. Every value knows its origin.
// Threads     values; no shared state.
// Adding      a field with its default in the part's settings.h, and its line in visit():
//               struct EngineSettings {
//                 std::uint64_t step_tokens = 512;
//                 template <typename Self, typename Visitor>
//                 static void visit(Self& self, Visitor&& visitor) {
//                   visitor({.name = "step-tokens", .unit = "tokens", .min = 1, .max = 65536,
//                            .effect = Effect::kSpeed, .sentence = "Most tokens in one step."},
//                           self.step_tokens);
//                 }
//               };
//             Types: bool, 64-bit integers, double, std::string, and std::optional of these, whose
//             empty value is written "auto".
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/status.h"

namespace cairn {

/// Where a value came from; later ones win over earlier ones.
enum class Origin : std::uint8_t { kDefault, kFile, kEnvironment, kFlag };

/// What a change of the setting can change.
enum class Effect : std::uint8_t { kAnswer, kSpeed, kMemory, kSurface };

/// "default", "file", "environment" or "flag".
std::string_view name_of(Origin origin);
/// "answer", "speed", "memory" or "surface".
std::string_view name_of(Effect effect);

/// The declaration of one setting.
struct SettingInfo {
  std::string_view name = {};  // words joined by "-", as the flag is written
  std::string_view unit = {};  // "tokens", "bytes", "ms"; empty for a plain number or a word
  double min = -std::numeric_limits<double>::infinity();  // numbers only; both ends belong to it
  double max = std::numeric_limits<double>::infinity();
  std::string_view choices =
      {};  // strings only: the accepted words with "|" between; empty: any text
  Effect effect = Effect::kAnswer;
  std::string_view sentence = {};
};

/// One setting as listings show it. `info` views the declaration, which is static.
struct SettingRow {
  SettingInfo info = {};
  std::string_view type = {};  // "switch", "whole number", "number" or "text"
  std::string range = {};      // "1 to 64", "auto|cpu" or ""
  std::string default_text = {};
  std::string value = {};
  Origin origin = Origin::kDefault;
};

/// Which settings have left their default, and by what.
class SettingOrigins {
 public:
  void set(std::string_view name, Origin origin);
  /// kDefault for a name that was never set.
  Origin of(std::string_view name) const;

 private:
  std::map<std::string, Origin, std::less<>> origins_;
};

/// A value as somebody wrote it.
struct SettingText {
  std::string_view name = {};
  std::string_view value = {};
  Origin origin = Origin::kFlag;
};

/// "CAIRN_STEP_TOKENS" for "step-tokens".
std::string environment_name(std::string_view setting);

/// A setting's name as a source of values writes it: "--step-tokens" for a flag,
/// "CAIRN_STEP_TOKENS" for the environment, else "step-tokens".
std::string written_name(std::string_view setting, Origin origin);

/// The lines "name = value" of a config file in order; "#" starts a comment, empty lines are
/// skipped. Errors: kInvalidArgument with the number of the line. The views are into `text`.
Result<std::vector<SettingText>> parse_settings_file(std::string_view text);

/// The rows as a Markdown table: name, type, range, default, effect, sentence.
std::string settings_table(std::span<const SettingRow> rows);

namespace detail {

/// Reads a value as its type is written, within the declared range. Errors: kInvalidArgument.
Status parse_setting(const SettingInfo& info, std::string_view text, bool& value);
Status parse_setting(const SettingInfo& info, std::string_view text, std::int64_t& value);
Status parse_setting(const SettingInfo& info, std::string_view text, std::uint64_t& value);
Status parse_setting(const SettingInfo& info, std::string_view text, double& value);
Status parse_setting(const SettingInfo& info, std::string_view text, std::string& value);

/// The same, where "auto" is no value.
template <typename T>
Status parse_setting(const SettingInfo& info, std::string_view text, std::optional<T>& value) {
  if (text == "auto") {
    value.reset();
    return {};
  }
  T inner = {};
  CAIRN_TRY(parse_setting(info, text, inner));
  value = std::move(inner);
  return {};
}

/// The text that parse_setting reads back.
std::string print_setting(bool value);
std::string print_setting(std::int64_t value);
std::string print_setting(std::uint64_t value);
std::string print_setting(double value);
std::string print_setting(const std::string& value);

/// The same, where no value is "auto".
template <typename T>
std::string print_setting(const std::optional<T>& value) {
  return value.has_value() ? print_setting(*value) : std::string("auto");
}

template <typename T>
struct SettingType {
  using Type = T;
};
template <typename T>
struct SettingType<std::optional<T>> {
  using Type = T;
};

/// The type's word in listings.
template <typename T>
constexpr std::string_view type_word() {
  using Type = typename SettingType<T>::Type;
  if (std::is_same_v<Type, bool>) return "switch";
  if (std::is_integral_v<Type>) return "whole number";
  return std::is_floating_point_v<Type> ? "number" : "text";
}

/// "1 to 64", "at least 1", the choices, or nothing.
std::string print_range(const SettingInfo& info);

/// The error for a name that no setting has, with the one of `known` that was probably meant.
Status unknown_setting(const SettingText& text, std::span<const std::string> known);

}  // namespace detail

/// Stores a value that somebody wrote. Errors: kInvalidArgument naming the setting as its origin
/// writes it, what was found and what is accepted; also for a name that Settings lacks.
template <typename Settings>
Status set_setting(Settings& settings, SettingOrigins& origins, const SettingText& text) {
  std::optional<Status> status;
  std::vector<std::string> known;
  Settings::visit(settings, [&](const SettingInfo& info, auto& value) {
    known.emplace_back(info.name);
    if (info.name != text.name) return;
    status =
        detail::parse_setting(info, text.value, value).in(written_name(info.name, text.origin));
    if (status->ok()) origins.set(text.name, text.origin);
  });
  return status.has_value() ? *status : detail::unknown_setting(text, known);
}

/// Every setting in the order of its declaration, for help, the reference page and records.
template <typename Settings>
std::vector<SettingRow> list_settings(const Settings& settings, const SettingOrigins& origins) {
  std::vector<SettingRow> rows;
  Settings::visit(settings, [&](const SettingInfo& info, const auto& value) {
    using Type = std::remove_cvref_t<decltype(value)>;
    rows.push_back({.info = info,
                    .type = detail::type_word<Type>(),
                    .range = detail::print_range(info),
                    .default_text = {},
                    .value = detail::print_setting(value),
                    .origin = origins.of(info.name)});
  });
  const Settings defaults;
  std::size_t row = 0;
  Settings::visit(defaults, [&](const SettingInfo&, const auto& value) {
    rows[row++].default_text = detail::print_setting(value);
  });
  return rows;
}

}  // namespace cairn
