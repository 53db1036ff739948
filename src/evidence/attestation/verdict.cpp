#include "evidence/attestation/verdict.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace cairn::evidence::attestation {
namespace {

enum class Effect : std::uint8_t { kInvestigate, kInvalid };

/// What the conditions look at.
struct Case {
  const Attestation& report;
  Policy policy;  // normalised
};

/// One line of the table: its detail is empty when its condition does not hold.
struct Row {
  std::string_view code;
  Effect effect = Effect::kInvestigate;
  std::string (*detail)(const Case& each) = nullptr;
};

std::string short_window(const Window& window, std::int64_t samples_min) {
  if (window.samples >= samples_min && window.duration_ns > 0) return {};
  return fmt::format("{} samples in {} ns, at least {} and time between them are needed",
                     window.samples, window.duration_ns, samples_min);
}

std::string above(std::string_view what, const Metric& metric, double percent_max) {
  if (!metric.available || !(metric.value > percent_max)) return {};
  return fmt::format("{} {:.2f}% exceeds {:.2f}%", what, metric.value, percent_max);
}

std::string unless_measured(bool required, const Metric& a, const Metric& b,
                            std::string_view what) {
  if (!required || (a.available && b.available)) return {};
  const Metric& missing = a.available ? b : a;
  return fmt::format("{} unknown: {}", what, missing.reason);
}

std::string baseline_window(const Case& each) {
  return short_window(each.report.baseline_window, each.policy.minimum_baseline_samples);
}

std::string command_window(const Case& each) {
  if (each.report.coverage.sut_root_pid <= 0) {
    return fmt::format("root pid {}", each.report.coverage.sut_root_pid);
  }
  return short_window(each.report.command_window, each.policy.minimum_samples);
}

std::string baseline_host_cpu_unknown(const Case& each) {
  const Metric& metric = each.report.baseline_host_totals.cpu_percent;
  return unless_measured(each.policy.require_host_cpu, metric, metric, "quiet host CPU");
}

std::string host_cpu_unknown(const Case& each) {
  const Metric& metric = each.report.host_totals.cpu_percent;
  return unless_measured(each.policy.require_host_cpu, metric, metric, "host CPU");
}

std::string sut_cpu_unknown(const Case& each) {
  const Attribution& parts = each.report.attribution;
  return unless_measured(each.policy.require_sut_cpu, parts.sut_cpu_percent_of_host,
                         parts.non_sut_cpu_percent_of_host, "CPU attribution");
}

std::string process_memory_unknown(const Case& each) {
  const Attribution& parts = each.report.attribution;
  return unless_measured(each.policy.require_process_memory, parts.sut_rss_bytes,
                         parts.non_sut_rss_bytes, "process memory");
}

std::string duty_unknown(const Case& each) {
  return unless_measured(true, each.report.baseline_sampler.duty_percent,
                         each.report.command_sampler.duty_percent, "sampler duty");
}

std::string baseline_duty_high(const Case& each) {
  return above("quiet sampler duty", each.report.baseline_sampler.duty_percent,
               each.policy.maximum_sampler_duty_percent);
}

std::string command_duty_high(const Case& each) {
  return above("command sampler duty", each.report.command_sampler.duty_percent,
               each.policy.maximum_sampler_duty_percent);
}

std::string baseline_cpu_high(const Case& each) {
  return above("quiet host CPU", each.report.baseline_host_totals.cpu_percent,
               each.policy.maximum_non_sut_cpu_percent);
}

std::string non_sut_cpu_high(const Case& each) {
  return above("non-SUT CPU", each.report.attribution.non_sut_cpu_percent_of_host,
               each.policy.maximum_non_sut_cpu_percent);
}

std::string command_failed(const Case& each) {
  if (each.report.command_exit_code == 0) return {};
  return fmt::format("child exit {}", each.report.command_exit_code);
}

std::string command_timeout(const Case& each) {
  return each.report.timed_out ? "the child was ended by the time limit" : "";
}

constexpr std::array kRows = {
    Row{"INVALID_BASELINE_WINDOW", Effect::kInvalid, &baseline_window},
    Row{"INVALID_WINDOW", Effect::kInvalid, &command_window},
    Row{"BASELINE_HOST_CPU_UNKNOWN", Effect::kInvestigate, &baseline_host_cpu_unknown},
    Row{"HOST_CPU_UNKNOWN", Effect::kInvestigate, &host_cpu_unknown},
    Row{"SUT_CPU_UNKNOWN", Effect::kInvestigate, &sut_cpu_unknown},
    Row{"PROCESS_MEMORY_UNKNOWN", Effect::kInvestigate, &process_memory_unknown},
    Row{"SAMPLER_DUTY_UNKNOWN", Effect::kInvestigate, &duty_unknown},
    Row{"BASELINE_SAMPLER_DUTY_HIGH", Effect::kInvestigate, &baseline_duty_high},
    Row{"COMMAND_SAMPLER_DUTY_HIGH", Effect::kInvestigate, &command_duty_high},
    Row{"BASELINE_HOST_CPU_HIGH", Effect::kInvestigate, &baseline_cpu_high},
    Row{"NON_SUT_CPU_HIGH", Effect::kInvestigate, &non_sut_cpu_high},
    Row{"COMMAND_FAILED", Effect::kInvalid, &command_failed},
    Row{"COMMAND_TIMEOUT", Effect::kInvalid, &command_timeout},
};

}  // namespace

Judgement judge(const Attestation& attestation) {
  const Case each = {.report = attestation, .policy = normalised(attestation.policy)};
  Judgement judgement;
  for (const Row& row : kRows) {
    std::string detail = row.detail(each);
    if (detail.empty()) continue;
    judgement.remarks.push_back({.code = std::string(row.code), .detail = std::move(detail)});
    if (row.effect == Effect::kInvalid) judgement.verdict = kInvalid;
    if (judgement.verdict == kClean) judgement.verdict = kInvestigate;
  }
  return judgement;
}

}  // namespace cairn::evidence::attestation
