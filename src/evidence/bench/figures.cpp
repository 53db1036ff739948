#include "evidence/bench/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace cairn::evidence {
namespace {

constexpr double kKilo = 1e3;
constexpr double kKibi = 1024;

constexpr std::array kUnits = {
    Unit{.name = "ms", .better = Better::kLower},
    Unit{.name = "s", .better = Better::kLower},
    Unit{.name = "tokens/s (total)", .better = Better::kHigher},
    Unit{.name = "tokens/s (output)", .better = Better::kHigher},
    Unit{.name = "tokens/s (decode)", .better = Better::kHigher},
    Unit{.name = "requests/s", .better = Better::kHigher},
    Unit{.name = "GB/s", .better = Better::kHigher},
    Unit{.name = "bytes", .better = Better::kLower, .bytes = 1},
    Unit{.name = "kB", .better = Better::kLower, .bytes = kKilo},
    Unit{.name = "MB", .better = Better::kLower, .bytes = kKilo * kKilo},
    Unit{.name = "GB", .better = Better::kLower, .bytes = kKilo * kKilo * kKilo},
    Unit{.name = "KiB", .better = Better::kLower, .bytes = kKibi},
    Unit{.name = "MiB", .better = Better::kLower, .bytes = kKibi * kKibi},
    Unit{.name = "GiB", .better = Better::kLower, .bytes = kKibi * kKibi * kKibi},
    Unit{.name = "tokens"},
    Unit{.name = "tokens/chunk"},
    Unit{.name = "share"},
    Unit{.name = "count"},
    Unit{.name = "percent"},
    Unit{.name = "logits"},
};

constexpr std::array<std::string_view, 3> kStatistics = {"median", "p95", "p99"};
constexpr std::array<std::string_view, 3> kLegs = {"warm only", "cold only", "with warm-up"};

template <typename Word, std::size_t N>
std::optional<Word> word_of(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Word>(found - names.begin());
}

double share_of(Statistic statistic) {
  if (statistic == Statistic::kMedian) return 0.5;
  return statistic == Statistic::kP95 ? 0.95 : 0.99;
}

bool takes(Legs legs, bool cold) { return legs == Legs::kAll || cold == (legs == Legs::kCold); }

}  // namespace

std::span<const Unit> units() { return kUnits; }

const Unit* find_unit(std::string_view name) {
  const auto* const found = std::ranges::find(kUnits, name, &Unit::name);
  return found == kUnits.end() ? nullptr : found;
}

std::string_view name_of(Statistic statistic) {
  return kStatistics[static_cast<std::size_t>(statistic)];
}

std::optional<Statistic> statistic_of(std::string_view name) {
  return word_of<Statistic>(kStatistics, name);
}

std::string_view name_of(Legs legs) { return kLegs[static_cast<std::size_t>(legs)]; }

std::optional<Legs> legs_of(std::string_view name) { return word_of<Legs>(kLegs, name); }

double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double share = position - std::floor(position);
  return values[below] + (values[above] - values[below]) * share;
}

std::size_t readings_needed(Statistic statistic) {
  if (statistic == Statistic::kMedian) return 1;
  return statistic == Statistic::kP95 ? 60 : 300;
}

std::optional<Figure> figure_of(const BenchRecord& record, const FigureQuery& query) {
  std::map<std::int64_t, std::vector<double>> by_repetition;
  Figure figure;
  for (const BenchSample& sample : record.samples) {
    if (sample.arm != query.arm || sample.metric != query.metric) continue;
    if (!takes(query.legs, sample.cold)) continue;
    std::vector<double>& values = by_repetition[sample.repetition];
    values.insert(values.end(), sample.values.begin(), sample.values.end());
    figure.readings += sample.values.size();
  }
  for (auto& [repetition, values] : by_repetition) {
    if (values.empty()) continue;
    figure.repetitions.push_back(quantile(values, share_of(query.statistic)));
  }
  if (figure.repetitions.empty()) return std::nullopt;
  figure.value = quantile(figure.repetitions, 0.5);
  const auto [low, high] = std::ranges::minmax(figure.repetitions);
  figure.low = low;
  figure.high = high;
  figure.spread_percent = figure.value != 0 ? (high - low) / std::abs(figure.value) * 100 : 0;
  return figure;
}

double ratio_of(double ours, double reference, bool higher_is_better) {
  return higher_is_better ? ours / reference : reference / ours;
}

std::vector<Limit> void_reasons(const BenchRecord& record) {
  std::vector<Limit> reasons;
  for (const BenchWork& work : record.work) {
    if (work.failed == 0) continue;
    reasons.push_back(
        {.id = "M-19", .word = "VOID", .reason = "a request of " + work.arm + " failed"});
    break;
  }
  const HostState& host = record.machine.host_state;
  if (host.boot_id_before != host.boot_id_after) {
    reasons.push_back({.id = "M-30", .word = "VOID", .reason = "the host was started anew"});
  }
  if (host.oom_count > 0) {
    reasons.push_back({.id = "M-30", .word = "VOID", .reason = "the host ran out of memory"});
  }
  return reasons;
}

std::string_view rest_name(double rest, double step) {
  constexpr double kUnattributedShare = 0.05;
  return std::abs(rest) > kUnattributedShare * step ? "unattributed" : "residual";
}

std::optional<Attribution> attribution_of(const BenchRecord& record, std::string_view arm) {
  const auto step = figure_of(record, {.arm = arm, .metric = kStepMetric});
  if (!step) return std::nullopt;
  Attribution found = {.parts = {}, .step = step->value};
  double residual = step->value;
  for (const MetricUnit& unit : record.units) {
    if (!unit.metric.starts_with(kPartPrefix)) continue;
    const auto part = figure_of(record, {.arm = arm, .metric = unit.metric});
    if (!part) continue;
    found.parts.push_back({.name = unit.metric.substr(kPartPrefix.size()), .value = part->value});
    residual -= part->value;
  }
  found.parts.push_back({.name = std::string(rest_name(residual, step->value)), .value = residual});
  return found;
}

std::optional<double> draft_acceptance(const BenchRecord& record, std::string_view arm) {
  const auto figure = figure_of(record, {.arm = arm, .metric = "draft_acceptance"});
  if (!figure) return std::nullopt;
  return figure->value;
}

}  // namespace cairn::evidence
