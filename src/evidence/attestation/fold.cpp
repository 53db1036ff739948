#include "evidence/attestation/fold.h"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::evidence::attestation {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kDayS = 86'400;
constexpr std::string_view kPercent = "percent";
constexpr std::string_view kBytes = "bytes";

std::optional<std::int64_t> add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional(sum);
}

std::optional<std::int64_t> subtract(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  return __builtin_sub_overflow(a, b, &difference) ? std::nullopt : std::optional(difference);
}

/// A positive time between the first and the last sample, else 0.
std::int64_t duration_ns(const Series& series) {
  if (series.empty()) return 0;
  return subtract(series.back()->monotonic_ns, series.front()->monotonic_ns).value_or(0);
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

struct Date {
  std::int64_t year = 0;
  std::int64_t month = 0;
  std::int64_t day = 0;
};

/// The Gregorian date `days` after 1970-01-01. Source: own; years begin in March, so that the leap
/// day is the last one and the lengths of months follow (153 m + 2) / 5.
Date date_of(std::int64_t days) {
  constexpr std::int64_t kCycle = 146'097;      // days of 400 years
  const std::int64_t shifted = days + 719'468;  // since 0000-03-01
  const std::int64_t cycle = floor_divide(shifted, kCycle);
  const std::int64_t day = shifted - cycle * kCycle;
  const std::int64_t year = (day - day / 1460 + day / 36'524 - day / 146'096) / 365;
  const std::int64_t in_year = day - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * in_year + 2) / 153;
  return {.year = cycle * 400 + year + (month < 10 ? 0 : 1),
          .month = month < 10 ? month + 3 : month - 9,
          .day = in_year - (153 * month + 2) / 5 + 1};
}

/// The lowest and the first of what the samples say about memory.
struct MemoryRange {
  std::int64_t total = 0;
  std::optional<std::int64_t> lowest = {};
};

MemoryRange memory_range(const Series& series) {
  MemoryRange range;
  for (const host::Snapshot* sample : series) {
    if (!sample->memory.available) continue;
    if (range.total == 0) range.total = sample->memory.total_bytes;
    range.lowest = std::min(range.lowest.value_or(sample->memory.available_bytes),
                            sample->memory.available_bytes);
  }
  return range;
}

Metric process_count(const Series& series) {
  std::optional<std::size_t> largest;
  for (const host::Snapshot* sample : series) {
    if (sample->enumerated) largest = std::max(largest.value_or(0), sample->processes.size());
  }
  if (!largest) return unknown("processes", "no sample has a list of processes");
  return measured(static_cast<double>(*largest), "processes", "largest process census");
}

/// The cost of all samples but the last, which lies behind the window's end.
std::optional<std::int64_t> census_cost(const Series& series) {
  std::optional<std::int64_t> sum = 0;
  for (std::size_t i = 0; i + 1 < series.size() && sum; ++i) {
    sum = series[i]->census_ns < 0 ? std::nullopt : add(*sum, series[i]->census_ns);
  }
  return sum;
}

}  // namespace

Series ordered(std::span<const host::Snapshot> samples) {
  Series series;
  for (const host::Snapshot& sample : samples) series.push_back(&sample);
  std::ranges::stable_sort(series, {}, &host::Snapshot::monotonic_ns);
  return series;
}

std::string utc_text(std::int64_t utc_ns) {
  const std::int64_t seconds = floor_divide(utc_ns, kSecondNs);
  const std::int64_t days = floor_divide(seconds, kDayS);
  const std::int64_t second = seconds - days * kDayS;
  const Date date = date_of(days);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", date.year, date.month,
                                 date.day, second / 3600, second / 60 % 60, second % 60);
  if (const std::int64_t fraction = utc_ns - seconds * kSecondNs; fraction != 0) {
    text += fmt::format(".{:09}", fraction);
    while (text.ends_with('0')) text.pop_back();
  }
  return text + "Z";
}

Metric measured(double value, std::string_view unit, std::string_view source) {
  return {
      .available = true, .value = value, .unit = std::string(unit), .source = std::string(source)};
}

Metric unknown(std::string_view unit, std::string_view reason) {
  return {.available = false, .unit = std::string(unit), .reason = std::string(reason)};
}

double percent_of(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole) * 100;
}

std::optional<HostDelta> host_delta(const Series& series) {
  if (series.size() < 2) return std::nullopt;
  const host::CpuTotals& first = series.front()->cpu;
  const host::CpuTotals& last = series.back()->cpu;
  if (!first.available || !last.available) return std::nullopt;
  const std::optional<std::int64_t> total = subtract(last.total_ns, first.total_ns);
  const std::optional<std::int64_t> busy = subtract(last.busy_ns, first.busy_ns);
  if (!total || !busy || *total <= 0 || *busy < 0 || *busy > *total) return std::nullopt;
  return HostDelta{.total_ns = *total, .busy_ns = *busy};
}

Window fold_window(const Series& series, std::int64_t interval_ns) {
  if (series.empty()) return {.sample_interval_ns = interval_ns};
  const std::int64_t start_ns = series.front()->utc_ns;
  const std::int64_t duration = duration_ns(series);
  return {.started_at_utc = utc_text(start_ns),
          .ended_at_utc = utc_text(add(start_ns, duration).value_or(start_ns)),
          .duration_ns = duration,
          .sample_interval_ns = interval_ns,
          .samples = static_cast<std::int64_t>(series.size())};
}

HostTotals fold_host(const Series& series) {
  HostTotals totals;
  if (const std::optional<HostDelta> delta = host_delta(series)) {
    totals.cpu_percent =
        measured(percent_of(delta->busy_ns, delta->total_ns), kPercent, "host cpu counter delta");
  } else {
    totals.cpu_percent = unknown(kPercent, "host cpu counters unusable at an end of the window");
  }
  const MemoryRange memory = memory_range(series);
  if (memory.lowest) {
    totals.memory_total_bytes = measured(static_cast<double>(memory.total), kBytes, "host memory");
    totals.memory_available_bytes =
        measured(static_cast<double>(*memory.lowest), kBytes, "lowest sampled available memory");
  } else {
    totals.memory_total_bytes = unknown(kBytes, "no sample has host memory");
    totals.memory_available_bytes = unknown(kBytes, "no sample has host memory");
  }
  totals.process_count = process_count(series);
  return totals;
}

Sampler fold_sampler(const Series& series) {
  Sampler sampler;
  sampler.counted_samples = series.empty() ? 0 : static_cast<std::int64_t>(series.size()) - 1;
  const std::int64_t duration = duration_ns(series);
  const std::optional<std::int64_t> wall = census_cost(series);
  if (series.size() < 2 || duration <= 0 || !wall) {
    sampler.duty_percent = unknown(kPercent, "no two samples with time between them and a cost");
    return sampler;
  }
  sampler.wall_ns = *wall;
  sampler.duty_percent =
      measured(percent_of(*wall, duration), kPercent, "census wall time before the last sample");
  return sampler;
}

Coverage fold_coverage(const Series& series, std::int64_t root_pid) {
  Coverage coverage;
  coverage.sut_root_pid = root_pid;
  coverage.descendant_attribution = "sampled_pid_ppid_tree";
  for (const host::Snapshot* sample : series) {
    coverage.process_snapshots += sample->enumerated ? 1 : 0;
    coverage.processes_observed += static_cast<std::int64_t>(sample->processes.size());
    coverage.process_reads += std::ranges::count_if(
        sample->processes,
        [](const host::ProcessEntry& entry) { return entry.cpu_available || entry.rss_available; });
    coverage.process_unreadable += sample->unreadable;
    coverage.host_cpu_samples += sample->cpu.available ? 1 : 0;
    coverage.host_memory_samples += sample->memory.available ? 1 : 0;
    if (!sample->note.empty()) coverage.process_enumeration_note = sample->note;
  }
  return coverage;
}

}  // namespace cairn::evidence::attestation
