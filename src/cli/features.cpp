// cairn features: what this processor offers, and what of it this build uses.
#include <fmt/core.h>

#include "base/json.h"
#include "cli/command.h"
#include "kernels/cpu/cpu_features.h"
#include "kernels/tiers.h"

namespace cairn::cli {
namespace {

Json whole_json() {
  Json features = Json::array();
  for (const kernels::CpuFeature& feature : kernels::cpu_features()) {
    features.push_back(
        {{"name", feature.name}, {"detected", feature.detected}, {"used", feature.used}});
  }
  Json tiers = Json::array();
  for (const kernels::Tier& tier : kernels::tiers()) {
    tiers.push_back({{"name", tier.name}, {"usable", tier.usable()}});
  }
  return {{"version", CAIRN_VERSION}, {"features", features}, {"tiers", tiers}};
}

std::string whole_text() {
  std::string text = "processor features\n";
  for (const kernels::CpuFeature& feature : kernels::cpu_features()) {
    text += fmt::format("  {:<12} {}{}\n", feature.name, feature.detected ? "here" : "not here",
                        feature.used ? ", used" : "");
  }
  text += "kernel tiers, best first\n";
  for (const kernels::Tier& tier : kernels::tiers()) {
    text += fmt::format("  {:<12} {}\n", tier.name, tier.usable() ? "usable" : "not usable here");
  }
  return text;
}

class Features final : public Command {
 public:
  void declare(CLI::App& app) override { app.add_flag("--json", json_, "Print one JSON object"); }

  Status run(Session& session) override {
    return session.out.write(json_ ? whole_json().dump(2) + "\n" : whole_text());
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_features() { return std::make_unique<Features>(); }

}  // namespace cairn::cli
