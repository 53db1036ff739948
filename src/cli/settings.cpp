// Reading settings.
#include "cli/settings.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/file.h"
#include "cli/environment.h"
#include "evidence/settings.h"

namespace cairn::cli {
namespace {

constexpr std::uint64_t kConfigBytesMax = 1 << 20;

std::string help_text(const SettingRow& row) {
  std::string range = row.range.empty() ? "" : row.range + "; ";
  return fmt::format("{} ({}default {})", row.info.sentence, range, row.default_text);
}

std::string value_name(const SettingRow& row) {
  return row.info.choices.empty() ? "VALUE" : "WORD";
}

template <typename Part>
bool is_of(std::string_view name) {
  const auto rows = list_settings(Part(), SettingOrigins());
  return std::ranges::any_of(rows, [&](const SettingRow& row) { return row.info.name == name; });
}

}  // namespace

bool has_use(Purpose purpose, std::string_view setting) {
  if (purpose == Purpose::kAny) return true;
  if (purpose != Purpose::kAnswer && is_of<engine::SamplingSettings>(setting)) return false;
  return purpose == Purpose::kServer || !is_of<server::HttpSettings>(setting);
}

void SettingFlags::declare(CLI::App& app, Purpose purpose) {
  for (const SettingRow& row : rows()) {
    const std::string name(row.info.name);
    if (!has_use(purpose, name)) continue;
    app.add_option("--" + name, flags_[name], help_text(row))
        ->type_name(value_name(row))
        ->group("Settings");
  }
}

Status SettingFlags::read() {
  CAIRN_TRY(read_config(home_folder() + "/config"));
  for (const auto& [name, text] : flags_) {
    const auto variable = environment(environment_name(name));
    if (variable)
      CAIRN_TRY(set({.name = name, .value = *variable, .origin = Origin::kEnvironment}));
    if (text) CAIRN_TRY(set({.name = name, .value = *text, .origin = Origin::kFlag}));
  }
  return {};
}

Status SettingFlags::read_config(const std::string& path) {
  const Result<std::string> file = read_file(path, kConfigBytesMax);
  if (!file.ok()) {
    return file.status().code() == StatusCode::kNotFound ? Status() : file.status();
  }
  const auto lines = parse_settings_file(*file);
  if (!lines.ok()) return lines.status().in(path);
  for (const SettingText& line : *lines) CAIRN_TRY(set(line).in(path));
  return {};
}

Status SettingFlags::set(const SettingText& text) { return set_setting(settings_, origins_, text); }

std::vector<SettingRow> SettingFlags::rows() const { return list_settings(settings_, origins_); }

std::string settings_page() {
  return "# Settings\n\n"
         "Each is a flag (`--name VALUE`), a variable (`CAIRN_NAME`) and a line `name = value` of "
         "the file\n`config` in the folder that `CAIRN_HOME` names (else `~/.cache/cairn`). Flags "
         "win over variables,\nvariables over the file. This page is `cairn settings "
         "--markdown`.\n\n" +
         settings_table(list_settings(Settings(), SettingOrigins())) +
         "\n## Of the evidence commands\n\n"
         "`cairn native-performance` reads no file that its arguments do not name, so these are "
         "variables only.\n\n" +
         settings_table(list_settings(evidence::EvidenceSettings(), SettingOrigins()));
}

}  // namespace cairn::cli
