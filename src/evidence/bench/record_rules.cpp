// The rules of chapter 18 that look at one bench record.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "evidence/bench/bench_record.h"
#include "evidence/bench/figures.h"
#include "evidence/wire/predicates.h"
#include "evidence/wire/strings.h"
#include "evidence/wire/utc.h"

namespace cairn::evidence {
namespace {

using RecordRule = Rule<BenchRecord>;

constexpr std::array<std::string_view, 7> kKinds = {"latency", "throughput", "serve",  "startup",
                                                    "memory",  "lever",      "compare"};
constexpr std::array<std::string_view, 4> kRoles = {"ours", "reference", "off", "on"};
constexpr std::array<std::string_view, 3> kMemoryMetrics = {"peak_pss", "peak_rss",
                                                            "memavailable_drop"};
constexpr std::array<std::string_view, 6> kMovingVersions = {"",       "latest",  "main",
                                                             "master", "nightly", "head"};

void closed_words(const BenchRecord& record, Report& report) {
  if (record.schema != kBenchRecordSchema) {
    report.add("schema", quote(record.schema), std::string(kBenchRecordSchema));
  }
  if (!one_of(record.subject.kind, kKinds)) {
    report.add("subject.kind", quote(record.subject.kind), "a kind of the closed list");
  }
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < record.arms.size(); ++i) {
    const BenchArm& arm = record.arms[i];
    if (!one_of(arm.role, kRoles)) {
      report.add(member_path(item_path("arms", i), "role"), quote(arm.role),
                 "ours, reference, off or on");
    }
    if (is_blank(arm.name) || !names.insert(arm.name).second) {
      report.add(member_path(item_path("arms", i), "name"), quote(arm.name),
                 "a name of its own, not blank");
    }
  }
  if (record.arms.empty()) report.add("arms", "no arm", "at least one");
}

/// M-01: sealed, scrubbed, in the closed words.
void sealed(const BenchRecord& record, Report& report) {
  closed_words(record, report);
  for_each_string(record, "", [&](const std::string& path, const std::string& text) {
    const bool id = path == "machine.scrubbed_id";
    if (id ? !is_scrubbed_id(text) : is_private_path(text)) {
      report.add(path, quote(text), "no private path, host or user");
    }
    if (is_placeholder(text)) report.add(path, quote(text), "a filled text, no placeholder");
  });
  const std::string digest = digest_of(record);
  if (record.digest != digest) report.add("digest", quote(record.digest), quote(digest));
}

/// The repetitions of one arm's work, in order.
std::vector<std::int64_t> repetitions_of(const BenchRecord& record, std::string_view arm) {
  std::vector<std::int64_t> found;
  for (const BenchWork& work : record.work) {
    if (work.arm == arm) found.push_back(work.repetition);
  }
  return found;
}

void work_complete(const BenchRecord& record, Report& report) {
  std::size_t most = 0;
  for (const BenchArm& arm : record.arms) {
    const std::vector<std::int64_t> found = repetitions_of(record, arm.name);
    most = std::max(most, found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == static_cast<std::int64_t>(i) + 1) continue;
      report.add("work", "repetition " + std::to_string(found[i]) + " of " + quote(arm.name),
                 "repetition " + std::to_string(i + 1) + ", each in order");
      break;
    }
  }
  for (const BenchArm& arm : record.arms) {
    const std::size_t found = repetitions_of(record, arm.name).size();
    if (found == most || found == 1) continue;  // one run beside several is M-33
    report.add("work", std::to_string(found) + " repetitions of " + quote(arm.name),
               "the other arm's " + std::to_string(most));
  }
}

/// Each sample on its own: once, with values, in running order.
void samples_in_order(const BenchRecord& record, Report& report) {
  std::set<std::tuple<std::string_view, std::int64_t, std::string_view, bool>> once;
  std::map<std::string_view, std::int64_t> last;
  for (std::size_t i = 0; i < record.samples.size(); ++i) {
    const BenchSample& one = record.samples[i];
    const std::string path = item_path("samples", i);
    if (!once.emplace(one.arm, one.repetition, one.metric, one.cold).second) {
      report.add(path, "the same arm, repetition, metric and legs again", "each once");
    }
    if (one.values.empty()) report.add(member_path(path, "values"), "no value", "at least one");
    std::int64_t& before = last.emplace(one.arm, 0).first->second;
    if (one.repetition < before) {
      report.add(member_path(path, "repetition"), std::to_string(one.repetition),
                 "running order, at least " + std::to_string(before));
    }
    before = std::max(before, one.repetition);
  }
}

/// Every metric that an arm has at all, in each of its repetitions.
void samples_complete(const BenchRecord& record, Report& report) {
  std::set<std::tuple<std::string_view, std::int64_t, std::string_view>> sampled;
  std::map<std::string_view, std::set<std::string_view>> metrics;
  for (const BenchSample& one : record.samples) {
    sampled.emplace(one.arm, one.repetition, one.metric);
    metrics[one.arm].insert(one.metric);
  }
  for (const BenchWork& work : record.work) {
    if (metrics[work.arm].empty()) {
      report.add("samples", "none of " + quote(work.arm), "samples of every arm that worked");
    }
    for (const std::string_view metric : metrics[work.arm]) {
      if (sampled.contains({work.arm, work.repetition, metric})) continue;
      report.add("samples",
                 "no " + std::string(metric) + " of " + quote(work.arm) + ", repetition " +
                     std::to_string(work.repetition),
                 "a sample of every repetition that was started");
    }
  }
}

/// M-02
void complete(const BenchRecord& record, Report& report) {
  work_complete(record, report);
  samples_in_order(record, report);
  samples_complete(record, report);
  for (const BenchSample& sample : record.samples) {
    const std::vector<std::int64_t> known = repetitions_of(record, sample.arm);
    if (std::ranges::find(known, sample.repetition) != known.end()) continue;
    report.add("samples", quote(sample.arm) + ", repetition " + std::to_string(sample.repetition),
               "a repetition that is in work");
    return;
  }
}

/// The arms of one repetition by their first sample.
std::vector<std::string_view> order_of(const BenchRecord& record, std::int64_t repetition) {
  std::vector<std::string_view> order;
  for (const BenchSample& sample : record.samples) {
    if (sample.repetition != repetition) continue;
    if (std::ranges::find(order, sample.arm) == order.end()) order.push_back(sample.arm);
  }
  return order;
}

/// M-23; a series that was broken off is void and has what it has.
void rounds(const BenchRecord& record, Report& report) {
  if (!void_reasons(record).empty()) return;
  std::int64_t most = 0;
  for (const BenchArm& arm : record.arms) {
    const auto count = static_cast<std::int64_t>(repetitions_of(record, arm.name).size());
    most = std::max(most, count);
    if (count >= 3) continue;
    report.add("work", std::to_string(count) + " repetitions of " + quote(arm.name),
               "at least three");
  }
  for (std::int64_t i = 2; i <= most; ++i) {
    std::vector<std::string_view> before = order_of(record, i - 1);
    std::ranges::reverse(before);
    if (order_of(record, i) == before) continue;
    report.add("samples", "the arms of repetition " + std::to_string(i) + " in the same order",
               "the order of the round before, reversed");
  }
}

/// M-28
void lock(const BenchRecord& record, Report& report) {
  if (record.machine.host_state.lock == kBenchLock) return;
  report.add("machine.host_state.lock", quote(record.machine.host_state.lock),
             quote(kBenchLock) + ", held over the whole series");
}

/// M-29
void host_state(const BenchRecord& record, Report& report) {
  const HostState& host = record.machine.host_state;
  const auto filled = [&](std::string_view key, const std::string& text) {
    if (is_blank(text)) report.add(member_path("machine.host_state", key), quote(text), "a text");
  };
  filled("boot_id_before", host.boot_id_before);
  filled("boot_id_after", host.boot_id_after);
  const auto before = utc_key(host.clock_before_utc);
  const auto after = utc_key(host.clock_after_utc);
  if (!before || !after || *after < *before) {
    report.add("machine.host_state.clock_after_utc",
               quote(host.clock_before_utc) + " to " + quote(host.clock_after_utc),
               "two times in UTC, in order");
  }
  if (host.swap_ins < 0 || host.oom_count < 0 || !(host.steal_milliseconds >= 0)) {
    report.add("machine.host_state", "a negative count", "counts from 0");
  }
}

/// M-33
void one_run(const BenchRecord& record, Report& report) {
  std::size_t least = SIZE_MAX;
  std::size_t most = 0;
  for (const BenchArm& arm : record.arms) {
    const std::size_t count = repetitions_of(record, arm.name).size();
    least = std::min(least, count);
    most = std::max(most, count);
  }
  if (least != 1 || most <= 1) return;
  report.add("work", "an arm of one run beside one of " + std::to_string(most),
             "medians on both sides");
}

/// M-34
void manifest_filled(const BenchRecord& record, Report& report) {
  for (std::size_t i = 0; i < record.arms.size(); ++i) {
    const Manifest& found = record.arms[i].manifest;
    const std::string path = member_path(item_path("arms", i), "manifest");
    for_each_string(found, "", [&](const std::string& key, const std::string& text) {
      if (is_blank(text)) report.add(member_path(path, key), quote(text), "a filled entry");
    });
    const auto positive = [&](std::string_view key, double value) {
      if (!(value > 0)) report.add(member_path(path, key), shown_number(value), "above 0");
    };
    positive("bytes_per_token", found.bytes_per_token);
    positive("batch_cap", static_cast<double>(found.batch_cap));
    positive("token_budget", static_cast<double>(found.token_budget));
    positive("context_tokens", static_cast<double>(found.context_tokens));
    positive("threads", static_cast<double>(found.threads));
  }
}

/// M-37
void pinned(const BenchRecord& record, Report& report) {
  for (std::size_t i = 0; i < record.arms.size(); ++i) {
    const Manifest& found = record.arms[i].manifest;
    const std::string path = member_path(item_path("arms", i), "manifest");
    if (!is_sha256_hex(found.model_sha256) || !is_sha256_hex(found.prompt_corpus_sha256)) {
      report.add(path, "a model or corpus without its hash", "64 lower-case hex digits each");
    }
    if (one_of(found.version, kMovingVersions)) {
      report.add(member_path(path, "version"), quote(found.version), "a version, commit or hash");
    }
  }
}

/// M-39
void one_unit(const BenchRecord& record, Report& report) {
  std::set<std::string_view> metrics;
  for (const MetricUnit& unit : record.units) {
    if (metrics.insert(unit.metric).second) continue;
    report.add("units", quote(unit.metric) + " twice", "one unit for each metric");
  }
}

/// M-40
void usage(const BenchRecord& record, Report& report) {
  const bool rates = std::ranges::any_of(
      record.units, [](const MetricUnit& unit) { return unit.unit.starts_with("tokens/s"); });
  for (std::size_t i = 0; rates && i < record.work.size(); ++i) {
    if (record.work[i].output_tokens > 0 || record.work[i].failed > 0) continue;
    report.add(member_path(item_path("work", i), "output_tokens"),
               std::to_string(record.work[i].output_tokens),
               "the server's usage; without it there is no rate");
  }
}

/// M-45
void directions(const BenchRecord& record, Report& report) {
  for (const MetricUnit& unit : record.units) {
    const auto found = std::ranges::find(record.direction, unit.metric, &MetricDirection::metric);
    if (found == record.direction.end()) {
      report.add("direction", "no direction of " + quote(unit.metric), "one for each metric");
      continue;
    }
    const Unit* known = find_unit(unit.unit);
    if (known == nullptr || known->better == Better::kEither) continue;
    if (found->higher_is_better == (known->better == Better::kHigher)) continue;
    report.add("direction", quote(unit.metric) + " the wrong way up",
               known->better == Better::kHigher ? "higher is better" : "lower is better");
  }
}

/// M-47
void units_known(const BenchRecord& record, Report& report) {
  for (const MetricUnit& unit : record.units) {
    if (find_unit(unit.unit) != nullptr) continue;
    report.add("units", quote(unit.unit) + " of " + quote(unit.metric), "a unit of the list");
  }
  for (const BenchSample& sample : record.samples) {
    if (!unit_of(record, sample.metric).empty()) continue;
    report.add("units", "no unit of " + quote(sample.metric), "one for each metric");
    return;
  }
}

bool samples_metric(const BenchRecord& record, std::string_view metric) {
  return std::ranges::find(record.samples, metric, &BenchSample::metric) != record.samples.end();
}

/// M-54
void memory_whole(const BenchRecord& record, Report& report) {
  if (record.subject.kind != "memory") return;
  for (const std::string_view metric : kMemoryMetrics) {
    if (samples_metric(record, metric)) continue;
    report.add("samples", "no " + std::string(metric),
               "peak PSS, peak RSS and MemAvailable drop over the serving window");
  }
}

/// M-56
void memory_planned(const BenchRecord& record, Report& report) {
  if (record.subject.kind != "memory") return;
  std::size_t pairs = 0;
  for (const MetricUnit& unit : record.units) {
    if (!unit.metric.starts_with(kPlannedPrefix)) continue;
    const std::string actual =
        std::string(kActualPrefix) + unit.metric.substr(kPlannedPrefix.size());
    if (samples_metric(record, actual)) {
      ++pairs;
    } else {
      report.add("samples", "no " + actual, "the actual bytes beside the planned ones");
    }
  }
  if (pairs == 0) report.add("samples", "no planned bytes", "planned and actual bytes per kind");
}

constexpr std::array kRecordRules = {
    RecordRule{.id = "M-01", .check = &sealed},
    RecordRule{.id = "M-02", .check = &complete},
    RecordRule{.id = "M-23", .check = &rounds},
    RecordRule{.id = "M-28", .check = &lock},
    RecordRule{.id = "M-29", .check = &host_state},
    RecordRule{.id = "M-33", .check = &one_run},
    RecordRule{.id = "M-34", .check = &manifest_filled},
    RecordRule{.id = "M-37", .check = &pinned},
    RecordRule{.id = "M-39", .check = &one_unit},
    RecordRule{.id = "M-40", .check = &usage},
    RecordRule{.id = "M-45", .check = &directions},
    RecordRule{.id = "M-47", .check = &units_known},
    RecordRule{.id = "M-54", .check = &memory_whole},
    RecordRule{.id = "M-56", .check = &memory_planned},
};

}  // namespace

Findings validate_bench_record(const BenchRecord& record, Rules rules) {
  return collect(std::span<const RecordRule>(kRecordRules), record, rules);
}

}  // namespace cairn::evidence
