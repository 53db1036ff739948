#include "evidence/bench/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "evidence/bench/figures.h"

namespace cairn::evidence {
namespace {

void add_round_of(BenchRecord& record, const RoundAsk& ask, ArmRound round) {
  const std::string& arm = record.arms[ask.arm].name;
  round.work.arm = arm;
  round.work.repetition = ask.repetition;
  record.work.push_back(std::move(round.work));
  for (Reading& reading : round.readings) {
    record.samples.push_back({.arm = arm,
                              .repetition = ask.repetition,
                              .cold = reading.cold,
                              .metric = std::move(reading.metric),
                              .values = std::move(reading.values),
                              .system_baseline_digest = {}});
  }
}

}  // namespace

void set_units(BenchRecord& record, const std::vector<MetricUnit>& units) {
  record.units = units;
  record.direction.clear();
  for (const MetricUnit& unit : units) {
    const Unit* known = find_unit(unit.unit);
    const bool higher = known != nullptr && known->better == Better::kHigher;
    record.direction.push_back({.metric = unit.metric, .higher_is_better = higher});
  }
}

Status run_rounds(BenchRecord& record, std::int64_t repetitions,
                  const std::function<Result<ArmRound>(const RoundAsk&)>& run) {
  for (std::int64_t number = 1; number <= repetitions; ++number) {
    bool failed = false;
    for (std::size_t i = 0; i < record.arms.size(); ++i) {
      const std::size_t arm = number % 2 == 1 ? i : record.arms.size() - 1 - i;
      const RoundAsk ask = {.arm = arm, .repetition = number, .reload = record.subject.control};
      CAIRN_ASSIGN(ArmRound round, run(ask));
      failed = failed || round.work.failed > 0;
      add_round_of(record, ask, std::move(round));
    }
    if (failed) break;
  }
  return {};
}

BenchRecord control_of(const BenchRecord& record, std::size_t arm) {
  BenchRecord control = record;
  control.subject.control = true;
  control.subject.key += " A/A";
  control.arms = {record.arms[arm], record.arms[arm]};
  control.arms[0].name = "first";
  control.arms[1].name = "second";
  control.arms[0].role = "ours";
  control.arms[1].role = "reference";
  control.settings.clear();
  for (const BenchSetting& setting : record.settings) {
    if (setting.arm != record.arms[arm].name) continue;
    control.settings.push_back({.arm = "first", .setting = setting.setting});
    control.settings.push_back({.arm = "second", .setting = setting.setting});
  }
  control.work.clear();
  control.samples.clear();
  return control;
}

std::string busy_reason(const BenchRecord& record) {
  double worst = 0;
  const BenchSample* where = nullptr;
  for (const BenchSample& sample : record.samples) {
    if (sample.metric != kOthersCpuMetric || sample.values.empty()) continue;
    const double most = *std::ranges::max_element(sample.values);
    if (most <= worst) continue;
    worst = most;
    where = &sample;
  }
  if (where == nullptr || worst <= kOthersCpuPercentMax) return "";
  return fmt::format(
      "the machine was busy: others took {:.0f} % of it in repetition {} of {}, accepted up to {} "
      "%",
      worst, where->repetition, where->arm, kOthersCpuPercentMax);
}

}  // namespace cairn::evidence
