#include "cli/variables.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "base/nearest.h"
#include "cli/environment.h"
#include "cli/settings.h"
#include "evidence/settings.h"

namespace cairn::cli {
namespace {

constexpr std::string_view kPrefix = "CAIRN_";

std::vector<std::string> known_variables() {
  std::vector<std::string> names = {"CAIRN_HOME", "CAIRN_BENCH_API_KEY"};
  const auto add = [&](const auto& settings) {
    for (const SettingRow& row : list_settings(settings, SettingOrigins())) {
      names.push_back(environment_name(row.info.name));
    }
  };
  add(Settings());
  add(evidence::EvidenceSettings());
  return names;
}

}  // namespace

std::vector<std::string> unknown_variables() {
  const std::vector<std::string> known = known_variables();
  std::vector<std::string> lines;
  for (char* const* at = process_environment(); *at != nullptr; ++at) {
    const std::string_view pair = *at;
    const std::string name(pair.substr(0, pair.find('=')));
    if (!name.starts_with(kPrefix) || std::ranges::find(known, name) != known.end()) continue;
    const std::string near = did_you_mean(name, known);
    lines.push_back(fmt::format("{}: no variable of cairn has this name{}", name,
                                near.empty() ? "; `cairn settings` lists the settings" : near));
  }
  return lines;
}

}  // namespace cairn::cli
