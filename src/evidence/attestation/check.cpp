#include "evidence/attestation/check.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "evidence/attestation/process_tree.h"
#include "evidence/attestation/verdict.h"
#include "evidence/wire/value.h"

namespace cairn::evidence::attestation {
namespace {

/// how far a duty may be from the one computed from its two numbers.
constexpr double kDutyTolerance = 1e-9;

/// A metric of the report and where it stands.
struct Placed {
  std::string path;
  const Metric& metric;
};

void add_host(std::vector<Placed>& all, const std::string& path, const HostTotals& totals) {
  all.push_back({path + ".cpu_percent", totals.cpu_percent});
  all.push_back({path + ".memory_total_bytes", totals.memory_total_bytes});
  all.push_back({path + ".memory_available_bytes", totals.memory_available_bytes});
  all.push_back({path + ".process_count", totals.process_count});
}

std::vector<Placed> metrics_of(const Attestation& each) {
  std::vector<Placed> all;
  add_host(all, "baseline_host_totals", each.baseline_host_totals);
  add_host(all, "host_totals", each.host_totals);
  all.push_back({"baseline_sampler.duty_percent", each.baseline_sampler.duty_percent});
  all.push_back({"command_sampler.duty_percent", each.command_sampler.duty_percent});
  const Attribution& parts = each.attribution;
  all.push_back({"attribution.sut_cpu_percent_of_host", parts.sut_cpu_percent_of_host});
  all.push_back({"attribution.non_sut_cpu_percent_of_host", parts.non_sut_cpu_percent_of_host});
  all.push_back({"attribution.sut_rss_bytes", parts.sut_rss_bytes});
  all.push_back({"attribution.non_sut_rss_bytes", parts.non_sut_rss_bytes});
  return all;
}

/// J-20, and a word for what has no number text.
std::string number(double value) {
  return std::isfinite(value) ? number_text(value) : "a number that is not finite";
}

void schema(const Attestation& each, Report& report) {
  if (each.schema != kSchema) report.add("schema", quote(each.schema), quote(kSchema));
}

void verdict_word(const Attestation& each, Report& report) {
  for (const std::string_view word : {kClean, kInvestigate, kInvalid}) {
    if (each.verdict == word) return;
  }
  report.add("verdict", quote(each.verdict), "clean, investigate or invalid");
}

void digest(const Attestation& each, Report& report) {
  const std::string computed = digest_of(each);
  if (each.digest != computed) {
    report.add("digest", quote(each.digest), quote(computed) + ", computed from the report");
  }
}

/// An integer of the report and where it stands.
struct Count {
  std::string_view path;
  std::int64_t value = 0;
};

std::vector<Count> counts_of(const Attestation& each) {
  const Coverage& seen = each.coverage;
  return {{"baseline_window.duration_ns", each.baseline_window.duration_ns},
          {"baseline_window.sample_interval_ns", each.baseline_window.sample_interval_ns},
          {"baseline_window.samples", each.baseline_window.samples},
          {"baseline_sampler.counted_samples", each.baseline_sampler.counted_samples},
          {"baseline_sampler.wall_ns", each.baseline_sampler.wall_ns},
          {"command_window.duration_ns", each.command_window.duration_ns},
          {"command_window.sample_interval_ns", each.command_window.sample_interval_ns},
          {"command_window.samples", each.command_window.samples},
          {"command_sampler.counted_samples", each.command_sampler.counted_samples},
          {"command_sampler.wall_ns", each.command_sampler.wall_ns},
          {"coverage.process_snapshots", seen.process_snapshots},
          {"coverage.processes_observed", seen.processes_observed},
          {"coverage.process_reads", seen.process_reads},
          {"coverage.process_unreadable", seen.process_unreadable},
          {"coverage.host_cpu_samples", seen.host_cpu_samples},
          {"coverage.host_memory_samples", seen.host_memory_samples}};
}

void nothing_negative(const Attestation& each, Report& report) {
  for (const Count& count : counts_of(each)) {
    if (count.value < 0) {
      report.add(std::string(count.path), std::to_string(count.value), "0 or more");
    }
  }
}

void check_duty(const std::string& path, const Window& window, const Sampler& sampler,
                Report& report) {
  if (window.samples < 2 || window.duration_ns <= 0) return;
  if (sampler.counted_samples != window.samples - 1) {
    report.add(path + ".counted_samples", std::to_string(sampler.counted_samples),
               fmt::format("{}, one less than the samples", window.samples - 1));
  }
  const Metric& duty = sampler.duty_percent;
  if (!duty.available) {
    if (sampler.wall_ns != 0 || duty.reason.empty()) {
      report.add(path + ".duty_percent", "no value", "a value, or wall_ns 0 and a reason");
    }
    return;
  }
  // Integers first, then doubles, divided before multiplied.
  const double expected =
      static_cast<double>(sampler.wall_ns) / static_cast<double>(window.duration_ns) * 100;
  if (!(std::abs(duty.value - expected) <= kDutyTolerance)) {
    report.add(path + ".duty_percent.value", number(duty.value),
               number(expected) + ", wall_ns / duration_ns * 100");
  }
}

void duties(const Attestation& each, Report& report) {
  check_duty("baseline_sampler", each.baseline_window, each.baseline_sampler, report);
  check_duty("command_sampler", each.command_window, each.command_sampler, report);
}

void available_metrics(const Attestation& each, Report& report) {
  for (const Placed& placed : metrics_of(each)) {
    if (!placed.metric.available) continue;
    if (!std::isfinite(placed.metric.value) || placed.metric.value < 0) {
      report.add(placed.path + ".value", number(placed.metric.value),
                 "a finite number of 0 or more");
    }
    if (placed.metric.unit.empty()) report.add(placed.path + ".unit", "\"\"", "a unit");
  }
}

void recomputed_verdict(const Attestation& each, Report& report) {
  const Judgement judgement = judge(each);
  if (each.verdict == judgement.verdict) return;
  std::string why;
  for (const Remark& remark : judgement.remarks) why += ", " + remark.code;
  report.add("verdict", quote(each.verdict),
             quote(judgement.verdict) + ", computed from the report" + why);
}

void check_consumer(const std::string& path, const Consumer& each, Report& report) {
  if (each.pid <= 0) report.add(path + ".pid", std::to_string(each.pid), "a pid above 0");
  if (each.image != base_name(each.image)) {
    report.add(path + ".image", quote(each.image), quote(base_name(each.image)));
  }
  if (!std::isfinite(each.cpu_seconds) || each.cpu_seconds < 0) {
    report.add(path + ".cpu_seconds", number(each.cpu_seconds), "a finite number of 0 or more");
  }
}

void consumers(const Attestation& each, Report& report) {
  if (!each.top_non_sut_consumers) return;
  const std::vector<Consumer>& list = *each.top_non_sut_consumers;
  const std::string path = "top_non_sut_consumers";
  if (!list.empty() && !each.policy.include_top_consumers) {
    report.add(path, fmt::format("{} records", list.size()),
               "none without include_top_consumers in the policy");
  }
  if (list.size() > kConsumersMax) {
    report.add(path, fmt::format("{} records", list.size()),
               fmt::format("at most {}", kConsumersMax));
  }
  for (std::size_t i = 0; i < list.size(); ++i) check_consumer(item_path(path, i), list[i], report);
}

void unavailable_metrics(const Attestation& each, Report& report) {
  for (const Placed& placed : metrics_of(each)) {
    if (placed.metric.available) continue;
    if (placed.metric.value != 0) {
      report.add(placed.path + ".value", number(placed.metric.value),
                 "no value where none is available");
    }
    if (placed.metric.reason.empty()) {
      report.add(placed.path + ".reason", "no reason", "why no value is available");
    }
  }
}

constexpr std::array kCheckRules = {
    Rule<Attestation>{"A-02", &schema},
    Rule<Attestation>{"A-03", &verdict_word},
    Rule<Attestation>{"A-04", &digest},
    Rule<Attestation>{"A-05", &nothing_negative},
    Rule<Attestation>{"A-06", &duties},
    Rule<Attestation>{"A-07", &available_metrics},
    Rule<Attestation>{"A-08", &recomputed_verdict},
    Rule<Attestation>{"A-09", &consumers},
};

constexpr std::array kAttestationOptInRules = {
    Rule<Attestation>{"A-10", &unavailable_metrics},
};

}  // namespace

Findings too_large() {
  Findings findings;
  Report("A-01", findings).add("", "a larger file", fmt::format("at most {} bytes", kFileBytesMax));
  return findings;
}

Decoded<Attestation> read(std::string_view text, Rules rules) {
  const bool enforced = rules.on("A-01");
  if (enforced && text.size() > kFileBytesMax) return {.value = {}, .findings = too_large()};
  Decoded<Attestation> decoded = decode<Attestation>(text, rules);
  if (decoded.ok() || !enforced) return decoded;
  Findings findings;
  Report("A-01", findings).add_inner(decoded.findings);
  return {.value = {}, .findings = std::move(findings)};
}

Findings check(const Attestation& attestation, Rules rules) {
  return first_failure(std::span<const Rule<Attestation>>(kCheckRules), attestation, rules);
}

Findings check_opt_in(const Attestation& attestation, Rules rules) {
  return collect(std::span<const Rule<Attestation>>(kAttestationOptInRules), attestation, rules);
}

std::span<const Rule<Attestation>> rules() { return kCheckRules; }
std::span<const Rule<Attestation>> opt_in_rules() { return kAttestationOptInRules; }

}  // namespace cairn::evidence::attestation
