// Figures of bench records: what the samples come to (native-performance.md 18.5, 18.7).
//
// Purpose     the arithmetic of the pages: quantiles, medians of medians, spread.
// Invariants  cold legs are never mixed into a warm figure; a quantile with too few readings is
//             absent, never estimated; nothing is dropped and nothing is corrected.
// Threads     pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/bench/bench_record.h"

namespace cairn::evidence {

/// Names of the metrics that join memory plans with what was used (M-56).
constexpr std::string_view kPlannedPrefix = "planned.";
constexpr std::string_view kActualPrefix = "actual.";
/// Names of the metrics that split a step into parts (M-57): "part.<name>" and "step".
constexpr std::string_view kPartPrefix = "part.";
constexpr std::string_view kStepMetric = "step";
/// M-25: repetitions that spread further are indicative only, and printed as a range.
constexpr double kSpreadPercentMax = 3;

enum class Better : std::uint8_t { kHigher, kLower, kEither };

/// A unit that a metric may have (M-47). GB and GiB are two units; `bytes` is what one is.
struct Unit {
  std::string_view name;
  Better better = Better::kEither;
  double bytes = 0;  // 0 for what does not count bytes
};

/// The closed list of units.
std::span<const Unit> units();
/// The unit with this name, or null.
const Unit* find_unit(std::string_view name);

enum class Statistic : std::uint8_t { kMedian, kP95, kP99 };
enum class Legs : std::uint8_t { kWarm, kCold, kAll };

/// "median", "p95", "p99", and back.
std::string_view name_of(Statistic statistic);
std::optional<Statistic> statistic_of(std::string_view name);
/// "warm only", "cold only", "with warm-up", and back.
std::string_view name_of(Legs legs);
std::optional<Legs> legs_of(std::string_view name);

/// The quantile `q` of 0 to 1 by linear interpolation between the two nearest readings: position
/// q * (n - 1). `values` is not empty.
double quantile(std::vector<double> values, double q);

/// How many readings a statistic needs to be printed (M-44): p95 60, p99 300.
std::size_t readings_needed(Statistic statistic);

/// What one cell of a page shows.
struct Figure {
  double value = 0;
  double low = 0;   // of the repetitions
  double high = 0;  // of the repetitions
  double spread_percent = 0;
  std::size_t readings = 0;
  std::vector<double> repetitions;  // in order
};

/// Which readings a figure is made of.
struct FigureQuery {
  std::string_view arm;
  std::string_view metric;
  Statistic statistic = Statistic::kMedian;
  Legs legs = Legs::kWarm;
};

/// M-23: the statistic of each repetition, then their median. Nothing when there is no such
/// reading.
std::optional<Figure> figure_of(const BenchRecord& record, const FigureQuery& query);

/// ours/reference where more is better, else reference/ours: 1 or more is a win (M-45).
double ratio_of(double ours, double reference, bool higher_is_better);

/// A reason that keeps a row from a word: the rule, the strongest word left, and why.
struct Limit {
  std::string_view id;
  std::string_view word;
  std::string reason;
};

/// M-19 and M-30: why the whole record is void; empty when it is not.
std::vector<Limit> void_reasons(const BenchRecord& record);

/// M-58: what the rest of a step is called: "residual", or "unattributed" above 5 %.
std::string_view rest_name(double rest, double step);

/// M-57, M-58: the parts of a step and what is left of it, made so that they sum to the step.
struct Attribution {
  struct Part {
    std::string name;
    double value = 0;
  };
  std::vector<Part> parts;  // the rest last, by its name
  double step = 0;
};

/// Of the medians of the arm's "part.*" and "step" metrics; nothing without a step.
std::optional<Attribution> attribution_of(const BenchRecord& record, std::string_view arm);

/// M-48: the share of drafted tokens that were accepted, or nothing when none was measured.
std::optional<double> draft_acceptance(const BenchRecord& record, std::string_view arm);

}  // namespace cairn::evidence
