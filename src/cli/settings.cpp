// Reading settings, and cairn settings, which lists them.
#include "cli/settings.h"

#include <fmt/core.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
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

Json rows_json(const std::vector<SettingRow>& rows) {
  Json list = Json::array();
  for (const SettingRow& row : rows) {
    list.push_back({{"name", row.info.name},
                    {"variable", environment_name(row.info.name)},
                    {"type", row.type},
                    {"unit", row.info.unit},
                    {"range", row.range},
                    {"default", row.default_text},
                    {"value", row.value},
                    {"origin", name_of(row.origin)},
                    {"effect", name_of(row.info.effect)},
                    {"sentence", row.info.sentence}});
  }
  return list;
}

std::string rows_text(const std::vector<SettingRow>& rows) {
  std::string text;
  for (const SettingRow& row : rows) {
    text += fmt::format("{} = {} ({})\n  {} {}\n", row.info.name, row.value, name_of(row.origin),
                        row.info.sentence, row.range.empty() ? "" : "Accepts " + row.range + ".");
  }
  return text;
}

class ListSettings final : public Command {
 public:
  void declare(CLI::App& app) override {
    flags_.declare(app);
    app.add_flag("--json", json_, "Print one JSON array");
    app.add_flag("--markdown", markdown_, "Print the reference page");
  }

  Status run(Session& session) override {
    if (markdown_) return session.out.write(settings_page());
    CAIRN_TRY(flags_.read());
    const std::vector<SettingRow> rows = flags_.rows();
    return session.out.write(json_ ? rows_json(rows).dump(2) + "\n" : rows_text(rows));
  }

 private:
  SettingFlags flags_;
  bool json_ = false;
  bool markdown_ = false;
};

}  // namespace

void SettingFlags::declare(CLI::App& app) {
  for (const SettingRow& row : rows()) {
    const std::string name(row.info.name);
    app.add_option("--" + name, flags_[name], help_text(row))
        ->type_name(value_name(row))
        ->group("Settings");
  }
}

Status SettingFlags::read() {
  const std::string path = home_folder() + "/config";
  const Result<std::string> file = read_file(path, kConfigBytesMax);
  if (file.ok()) {
    const auto lines = parse_settings_file(*file);
    if (!lines.ok()) return lines.status().in(path);
    for (SettingText line : *lines) {
      line.origin = Origin::kFile;
      CAIRN_TRY(set_setting(settings_, origins_, line).in(path));
    }
  } else if (file.status().code() != StatusCode::kNotFound) {
    return file.status();
  }
  for (const auto& [name, text] : flags_) {
    if (const auto value = environment(environment_name(name))) {
      CAIRN_TRY(set_setting(settings_, origins_,
                            {.name = name, .value = *value, .origin = Origin::kEnvironment}));
    }
    if (!text.empty()) {
      CAIRN_TRY(
          set_setting(settings_, origins_, {.name = name, .value = text, .origin = Origin::kFlag}));
    }
  }
  return {};
}

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

std::unique_ptr<Command> make_settings() { return std::make_unique<ListSettings>(); }

}  // namespace cairn::cli
