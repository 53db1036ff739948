// cairn settings: every setting, its value and where that came from.
#include <fmt/core.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/settings.h"

namespace cairn::cli {
namespace {

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
    flags_.declare(app, Purpose::kAny);
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

std::unique_ptr<Command> make_settings() { return std::make_unique<ListSettings>(); }

}  // namespace cairn::cli
