#include "evidence/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "evidence/compare/statistics.h"

namespace cairn::evidence {
namespace {

constexpr std::string_view kPass = "pass";
constexpr std::string_view kFail = "fail";
constexpr std::string_view kInvestigate = "investigate";
constexpr std::string_view kRegression = "regression";

/// The figures of 10.4 and what they are of.
struct Measured {
  const GateRequest& request;
  double accepted_mean = 0;
  double candidate_mean = 0;
  double accepted_noise = 0;
  double candidate_noise = 0;
  double drop = 0;
};

Measured measure(const GateRequest& request) {
  Measured measured{.request = request};
  measured.accepted_mean = mean_rate(request.last_accepted);
  measured.candidate_mean = mean_rate(request.candidate);
  measured.accepted_noise = noise_percent(request.last_accepted, measured.accepted_mean);
  measured.candidate_noise = noise_percent(request.candidate, measured.candidate_mean);
  measured.drop = drop_percent(measured.accepted_mean, measured.candidate_mean);
  return measured;
}

/// C-07 for the gate.
Findings not_finite(const Measured& measured) {
  Findings findings;
  Report report("C-07", findings);
  for (const double value : {measured.accepted_mean, measured.candidate_mean,
                             measured.accepted_noise, measured.candidate_noise, measured.drop}) {
    if (std::isfinite(value)) continue;
    report.add("", shown_number(value) + " among the computed values", "finite results");
    break;
  }
  return findings;
}

GateCheck check(std::string_view name, bool passes, std::string detail) {
  return {.name = std::string(name),
          .status = std::string(passes ? kPass : kFail),
          .detail = std::move(detail)};
}

GateCheck quality_check(const GateRequest& request) {
  const Quality& found = request.candidate.quality;
  const GatePolicy& policy = request.policy;
  const bool same = found.name == policy.quality_metric &&
                    found.higher_is_better == policy.quality_higher_is_better;
  const bool enough = policy.quality_higher_is_better ? found.score >= policy.minimum_quality_score
                                                      : found.score <= policy.minimum_quality_score;
  return check(
      "quality", same && std::isfinite(found.score) && enough,
      fmt::format(
          "{} {} ({}), required {} {} {} ({})", quote(found.name), shown_number(found.score),
          found.higher_is_better ? "higher is better" : "lower is better",
          quote(policy.quality_metric),
          policy.quality_higher_is_better ? ">=" : "<=", shown_number(policy.minimum_quality_score),
          policy.quality_higher_is_better ? "higher is better" : "lower is better"));
}

/// The checks of 10.5 in their order, without the last.
std::vector<GateCheck> hard_checks(const Measured& measured) {
  const Receipt& candidate = measured.request.candidate;
  const GatePolicy& policy = measured.request.policy;
  const Execution& ran = candidate.execution;
  const double floor = policy.minimum_throughput_tokens_per_second;
  return {check("engine", ran.engine == policy.required_engine,
                fmt::format("{}, required {}", quote(ran.engine), quote(policy.required_engine))),
          check("forward_path", ran.forward_path == policy.required_forward_path,
                fmt::format("{}, required {}", quote(ran.forward_path),
                            quote(policy.required_forward_path))),
          check("fallback", ran.fallback_count == 0,
                fmt::format("{} fallbacks, required 0", ran.fallback_count)),
          check("memory", candidate.memory.peak_bytes <= policy.maximum_peak_bytes,
                fmt::format("peak {} bytes, at most {}", candidate.memory.peak_bytes,
                            policy.maximum_peak_bytes)),
          quality_check(measured.request),
          check("throughput_floor", measured.candidate_mean >= floor,
                fmt::format("mean {} tok/s, at least {}", shown_number(measured.candidate_mean),
                            shown_number(floor)))};
}

bool failed(const std::vector<GateCheck>& checks, std::string_view name) {
  return std::ranges::any_of(
      checks, [&](const GateCheck& each) { return each.name == name && each.status != kPass; });
}

/// 10.7, the order of which is the rule.
std::string_view classify(const Measured& measured, const std::vector<GateCheck>& checks) {
  const GatePolicy& policy = measured.request.policy;
  const bool hard = std::ranges::any_of(checks, [](const GateCheck& each) {
    return each.status == kFail && each.name != "throughput_floor";
  });
  if (hard) return kRegression;
  if (failed(checks, "system_baseline")) return kInvestigate;
  if (failed(checks, "throughput_floor") || measured.drop >= policy.regression_drop_percent) {
    return kRegression;
  }
  const bool noisy = measured.accepted_noise > policy.maximum_noise_percent ||
                     measured.candidate_noise > policy.maximum_noise_percent;
  return noisy || measured.drop >= policy.investigate_drop_percent ? kInvestigate : kPass;
}

/// Modules of both receipts whose revisions differ, sorted by module (10.8).
std::vector<SuspectModule> suspects(const GateRequest& request) {
  std::unordered_map<std::string_view, std::string_view> accepted;
  for (const ModuleVersion& each : request.last_accepted.module_versions) {
    accepted.emplace(each.module, each.revision);
  }
  std::vector<SuspectModule> changed;
  for (const ModuleVersion& each : request.candidate.module_versions) {
    const auto before = accepted.find(each.module);
    if (before == accepted.end() || before->second == each.revision) continue;
    changed.push_back({.module = each.module,
                       .accepted_revision = std::string(before->second),
                       .candidate_revision = each.revision});
  }
  std::ranges::sort(changed, {}, &SuspectModule::module);
  return changed;
}

BisectPacket bisect(const GateRequest& request, const std::vector<SuspectModule>& modules) {
  std::string paths;
  for (const SuspectModule& each : modules) paths += (paths.empty() ? "" : ",") + each.module;
  if (paths.empty()) paths = "internal/nativeperf";
  return {.schema = "fak-native-performance-bisect-packet/v1",
          .envelope_id = request.policy.envelope_id,
          .good_revision = request.last_accepted.revision,
          .bad_revision = request.candidate.revision,
          .suspect_modules = modules,
          .guarded_commands = {"dos arbitrate --lane native-performance --paths " + paths,
                               "fak native-performance --gate gate-request.json"},
          .stop_condition =
              "Stop at the earliest revision that the same policy, envelope, "
              "quality, identity, memory and throughput checks call a regression."};
}

/// B-16's verdict: a record that is valid but not clean.
bool has_unclean_record(const GateRequest& request) {
  const auto unclean = [](const AmbientRecord& record) { return record.verdict != "clean"; };
  return request.policy.require_ambient_evidence &&
         (std::ranges::any_of(request.last_accepted.ambient_evidence, unclean) ||
          std::ranges::any_of(request.candidate.ambient_evidence, unclean));
}

GateVerdict figures(const Measured& measured) {
  GateVerdict verdict;
  verdict.schema = "fak-native-performance-gate-verdict/v1";
  verdict.envelope_id = measured.request.policy.envelope_id;
  verdict.accepted_revision = measured.request.last_accepted.revision;
  verdict.candidate_revision = measured.request.candidate.revision;
  verdict.accepted_mean_tokens_per_second = measured.accepted_mean;
  verdict.candidate_mean_tokens_per_second = measured.candidate_mean;
  verdict.throughput_delta_percent = -measured.drop;
  verdict.accepted_noise_percent = measured.accepted_noise;
  verdict.candidate_noise_percent = measured.candidate_noise;
  return verdict;
}

void follow_up(const GateRequest& request, GateVerdict& verdict) {
  verdict.suspect_modules = suspects(request);
  verdict.bisect = bisect(request, verdict.suspect_modules);
}

}  // namespace

GateResult judge(const Graph& graph, const GateRequest& request, Strictness strictness,
                 Rules rules) {
  GateResult result;
  result.findings = check_structure(graph, request, rules);
  if (!result.ok()) return result;
  const Measured measured = measure(request);
  if (rules.on("C-07")) result.findings = not_finite(measured);
  if (!result.ok()) return result;

  GateVerdict& verdict = result.verdict;
  verdict = figures(measured);
  if (has_unclean_record(request)) {
    verdict.classification = kInvestigate;
    verdict.checks = {check("ambient_evidence", false, "[B-16] a legacy record that is not clean")};
    follow_up(request, verdict);
    return result;
  }
  verdict.checks = hard_checks(measured);
  if (request.policy.require_system_baseline) {
    const std::string fault = attestation_fault(request, strictness, rules);
    verdict.checks.push_back({.name = "system_baseline",
                              .status = std::string(fault.empty() ? kPass : kInvestigate),
                              .detail = fault.empty() ? "every repetition attested" : fault});
    if (strictness == Strictness::kDefault) result.warnings = lax_policies(request, rules);
  }
  verdict.classification = classify(measured, verdict.checks);
  const bool ambient =
      verdict.classification == kInvestigate && failed(verdict.checks, "system_baseline");
  if (verdict.classification == kPass || ambient) return result;
  follow_up(request, verdict);
  return result;
}

}  // namespace cairn::evidence
