#include "evidence/attestation/build.h"

#include <utility>

#include "evidence/attestation/fold.h"
#include "evidence/attestation/process_tree.h"
#include "evidence/attestation/verdict.h"

namespace cairn::evidence::attestation {
namespace {

void fold_command(Attestation& report, const Samples& samples) {
  const Series series = ordered(samples.command);
  report.command_window = fold_window(series, samples.interval_ns);
  report.command_sampler = fold_sampler(series);
  report.coverage = fold_coverage(series, samples.root_pid);
  report.host_totals = fold_host(series);
  report.attribution = fold_attribution(series, samples.root_pid);
  if (report.policy.include_top_consumers) {
    report.top_non_sut_consumers = top_consumers(series, samples.root_pid);
  }
}

}  // namespace

Attestation build(const Samples& samples, const Policy& policy) {
  Attestation report;
  report.schema = kSchema;
  report.policy = normalised(policy);
  const Series baseline = ordered(samples.baseline);
  report.baseline_window = fold_window(baseline, samples.interval_ns);
  report.baseline_host_totals = fold_host(baseline);
  report.baseline_sampler = fold_sampler(baseline);
  report.top_non_sut_consumers.emplace();
  report.command_exit_code = samples.exit_code;
  report.timed_out = samples.timed_out;
  if (samples.command.empty()) {
    report.verdict = kInvalid;
    report.findings.emplace().push_back({.code = "NO_SAMPLES", .detail = "nothing was sampled"});
  } else {
    fold_command(report, samples);
    Judgement judgement = judge(report);
    report.verdict = judgement.verdict;
    report.findings = std::move(judgement.remarks);
  }
  seal(report);
  return report;
}

}  // namespace cairn::evidence::attestation
