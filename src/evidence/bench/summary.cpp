#include "evidence/bench/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "evidence/bench/figures.h"
#include "evidence/bench/rounds.h"
#include "evidence/bench/standing.h"

namespace cairn::evidence {
namespace {

/// One printed row is one of these for every arm.
struct SummaryRow {
  std::string_view metric;
  Statistic statistic = Statistic::kMedian;
  Legs legs = Legs::kWarm;
};

std::string shown(double value) {
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

/// M-25: a range where the repetitions spread.
std::string summary_cell(const BenchRecord& record, const BenchArm& arm, const SummaryRow& row) {
  const auto figure = figure_of(record, {arm.name, row.metric, row.statistic, row.legs});
  if (!figure || figure->readings < readings_needed(row.statistic)) return "";  // M-44
  if (figure->spread_percent <= kSpreadPercentMax) return shown(figure->value);
  return fmt::format("{} ({} to {})", shown(figure->value), shown(figure->low),
                     shown(figure->high));
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// False for what is better neither way, like a share: it has no ratio and no band.
bool is_compared(const BenchRecord& record, std::string_view metric) {
  const Unit* unit = find_unit(unit_of(record, metric));
  return unit != nullptr && unit->better != Better::kEither;
}

/// "1.24 ahead", "1.01 tie", or nothing.
std::string ratio_cell(const BenchRecord& record, const BenchRecord& control,
                       const SummaryRow& row) {
  if (!is_compared(record, row.metric)) return "";
  const Standing standing = standing_of({.record = record,
                                         .control = &control,
                                         .metric = row.metric,
                                         .statistic = row.statistic,
                                         .legs = row.legs,
                                         .verdicts = {},
                                         .newest = {}});
  if (!standing.ratio) return "";
  const bool separated = std::ranges::none_of(
      standing.limits, [](const Limit& limit) { return limit.word == "NOT SEPARATED"; });
  const std::string word = separated || standing.word == "TIE" ? lower_case(standing.word)
                                                               : std::string("not separated");
  return fmt::format("{:.3f} {}", *standing.ratio, word);
}

/// Why no metric of the record may have a ratio.
std::set<std::string> forbidding_reasons(const BenchRecord& record, const BenchRecord& control) {
  std::set<std::string> reasons;
  for (const MetricUnit& unit : record.units) {
    const Standing standing = standing_of({.record = record,
                                           .control = &control,
                                           .metric = unit.metric,
                                           .verdicts = {},
                                           .newest = {}});
    for (const Limit& limit : standing.limits) {
      if (strength_of(limit.word) == 0)
        reasons.insert(fmt::format("[{}] {}", limit.id, limit.reason));
    }
  }
  for (const BenchRecord* each : {&record, &control}) {
    if (const std::string busy = busy_reason(*each); !busy.empty()) reasons.insert(busy);
  }
  return reasons;
}

std::string row_name(const BenchRecord& record, const SummaryRow& row) {
  std::string name = fmt::format("{} [{}]", row.metric, unit_of(record, row.metric));
  if (row.statistic != Statistic::kMedian) name += fmt::format(", {}", name_of(row.statistic));
  if (row.legs == Legs::kCold) name += ", cold";
  return name;
}

std::string table_row(const BenchRecord& record, const BenchRecord& control, const SummaryRow& row,
                      bool ratios) {
  std::string line;
  bool filled = false;
  for (const BenchArm& arm : record.arms) {
    const std::string cell = summary_cell(record, arm, row);
    filled = filled || !cell.empty();
    line += fmt::format("  {:>26}", cell);
  }
  if (!filled) return "";
  if (ratios) line += fmt::format("  {:>18}", ratio_cell(record, control, row));
  const auto band = noise_band(control, row.metric, row.statistic);
  if (band && is_compared(record, row.metric)) line += fmt::format("  {:>5.1f} %", *band);
  return fmt::format("{:<46}{}\n", row_name(record, row), line);
}

std::string head_row(const BenchRecord& record, bool ratios) {
  std::string line = fmt::format("{:<46}", record.subject.key);
  for (const BenchArm& arm : record.arms) line += fmt::format("  {:>26}", arm.name);
  if (ratios) line += fmt::format("  {:>18}", "ratio");
  return line + fmt::format("  {:>7}\n", "A/A");
}

std::string differences_of(const BenchRecord& record) {
  std::string text;
  const BenchArm* ours = our_arm(record);
  const BenchArm* reference = reference_arm(record);
  if (ours == nullptr || reference == nullptr) return text;
  for (const ManifestDifference& one :
       manifest_differences(ours->manifest, reference->manifest)) {  // M-35
    text += fmt::format("differs: {}: {} and {}\n", one.key, one.ours, one.reference);
  }
  return text + fmt::format("outputs: {}\n", token_class(record));
}

}  // namespace

std::string summary_of(const BenchRecord& record, const BenchRecord& control) {
  const bool pair = record.arms.size() == 2;
  const std::set<std::string> reasons =
      pair ? forbidding_reasons(record, control) : std::set<std::string>();
  const bool ratios = pair && reasons.empty();
  std::string text = head_row(record, ratios);
  for (const MetricUnit& unit : record.units) {
    for (const Legs legs : {Legs::kWarm, Legs::kCold}) {
      for (const Statistic statistic : {Statistic::kMedian, Statistic::kP95, Statistic::kP99}) {
        text += table_row(record, control,
                          {.metric = unit.metric, .statistic = statistic, .legs = legs}, ratios);
      }
    }
  }
  for (const std::string& reason : reasons) text += "no ratio: " + reason + "\n";
  if (!pair && !busy_reason(record).empty()) text += busy_reason(record) + "\n";
  return text + differences_of(record);
}

}  // namespace cairn::evidence
