// Every setting of cairn together, and how they are read: config file, environment, flags.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"
#include "base/status.h"
#include "engine/settings.h"
#include "kernels/settings.h"
#include "server/settings.h"

namespace cairn::cli {

struct Settings {
  kernels::DeviceSettings device;
  engine::EngineSettings engine;
  engine::SamplingSettings sampling;
  server::HttpSettings http;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    kernels::DeviceSettings::visit(self.device, visitor);
    engine::EngineSettings::visit(self.engine, visitor);
    engine::SamplingSettings::visit(self.sampling, visitor);
    server::HttpSettings::visit(self.http, visitor);
  }
};

/// What a command does with settings: those of sampling are an answer's, those of HTTP a server's,
/// and a model alone has a use for neither.
enum class Purpose : std::uint8_t { kAnswer, kServer, kModel, kAny };

/// Whether a command of this kind does anything with the setting.
bool has_use(Purpose purpose, std::string_view setting);

/// Reads settings for one command. Later sources win: the file `config` in the home folder, the
/// CAIRN_ variables, the flags.
class SettingFlags {
 public:
  /// One flag per setting that `purpose` has a use for; the others are read all the same.
  void declare(CLI::App& app, Purpose purpose);

  /// Errors: kInvalidArgument naming the setting as its source writes it, what was found and what
  /// is accepted; the same for a name in the config file that is no setting; kIo for that file.
  Status read();

  const Settings& values() const { return settings_; }
  /// Every setting with its value and origin.
  std::vector<SettingRow> rows() const;

 private:
  Status read_config(const std::string& path);
  Status set(const SettingText& text);

  Settings settings_;
  SettingOrigins origins_;
  std::map<std::string, std::optional<std::string>> flags_;  // as given
};

/// The page docs/reference/settings.md, made from the declarations.
std::string settings_page();

}  // namespace cairn::cli
