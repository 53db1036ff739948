// B-20..B-30: whether the attestations of both sides qualify a measurement.
#include <algorithm>
#include <array>
#include <set>

#include "evidence/attestation/check.h"
#include "evidence/gate/gate.h"

namespace cairn::evidence {
namespace {

/// One attestation in its place, or (index past the end) a receipt as a whole.
struct Side {
  const GatePolicy& policy;
  const Receipt& receipt;
  std::string_view name;
  std::set<std::string_view>& used;  // digests of both sides so far
  Strictness strictness = Strictness::kDefault;
};

struct Attested {
  const Side& side;
  const attestation::Attestation& attestation;
  std::size_t index = 0;
};

void legacy(const Side& side, Report& report) {
  if (side.receipt.ambient_evidence.empty()) return;
  report.add("ambient_evidence", "legacy ambient evidence", "attestations");
}

void v2(const Side& side, Report& report) {
  if (side.receipt.schema == kReceiptSchemaV2) return;
  report.add("schema", quote(side.receipt.schema), std::string(kReceiptSchemaV2));
}

void one_each(const Side& side, Report& report) {
  const std::size_t found = side.receipt.system_baselines.size();
  if (found == side.receipt.repetitions.size()) return;
  report.add(
      "system_baselines", std::to_string(found) + " attestations",
      "one for each of the " + std::to_string(side.receipt.repetitions.size()) + " repetitions");
}

void valid(const Attested& at, Report& report) {
  const Findings inner = attestation::check(at.attestation);
  report.add_inner(inner);
  if (inner.empty() && at.attestation.verdict == "invalid") {
    report.add("verdict", "invalid", "a valid measurement");
  }
}

void no_consumers(const Attested& at, Report& report) {
  const auto& consumers = at.attestation.top_non_sut_consumers;
  if (!consumers || consumers->empty()) return;
  report.add("top_non_sut_consumers", std::to_string(consumers->size()) + " records", "none");
}

void bound(const Attested& at, Report& report) {
  const std::string& digest = at.side.receipt.repetitions[at.index].system_baseline_digest;
  if (digest == at.attestation.digest) return;
  report.add("digest", quote(at.attestation.digest), "the repetition's " + quote(digest));
}

void digest_once(const Attested& at, Report& report) {
  if (at.side.used.insert(at.attestation.digest).second) return;
  report.add("digest", quote(at.attestation.digest) + " again",
             "each attestation once on both sides together");
}

void sampled_allowed(const Attested& at, Report& report) {
  const std::string& how = at.attestation.coverage.descendant_attribution;
  if (how != "sampled_pid_ppid_tree" || at.side.policy.allow_sampled_system_baseline) return;
  report.add("coverage.descendant_attribution", how, "allow_sampled_system_baseline for it");
}

void attribution_named(const Attested& at, Report& report) {
  if (!at.attestation.coverage.descendant_attribution.empty()) return;
  report.add("coverage.descendant_attribution", "nothing", "how descendants were attributed");
}

void clean(const Attested& at, Report& report) {
  const attestation::Attestation& one = at.attestation;
  if (one.baseline_window.samples < 2 || one.baseline_window.duration_ns <= 0) {
    report.add("baseline_window", std::to_string(one.baseline_window.samples) + " samples",
               "at least 2 over a duration");
  } else if (!one.baseline_host_totals.cpu_percent.available) {
    report.add("baseline_host_totals.cpu_percent", "not available", "a measured value");
  } else if (one.verdict != "clean") {
    report.add("verdict", quote(one.verdict), "clean");
  } else if (!one.host_totals.cpu_percent.available ||
             !one.attribution.sut_cpu_percent_of_host.available ||
             !one.attribution.non_sut_cpu_percent_of_host.available) {
    report.add("attribution", "host, SUT or non-SUT CPU not available", "measured values");
  }
}

/// An attestation may declare limits of its own; laxer ones than 7.2 make any host clean.
void lax(const Attested& at, Report& report) {
  const attestation::Policy own = attestation::normalised(at.attestation.policy);
  const attestation::Policy limits;
  const bool laxer = own.minimum_baseline_samples < limits.minimum_baseline_samples ||
                     own.minimum_samples < limits.minimum_samples ||
                     own.maximum_non_sut_cpu_percent > limits.maximum_non_sut_cpu_percent ||
                     own.maximum_sampler_duty_percent > limits.maximum_sampler_duty_percent ||
                     !own.require_host_cpu || !own.require_sut_cpu;
  if (laxer) report.add("policy", "a policy laxer than the defaults", "the defaults or stricter");
}

constexpr std::array kSideRules = {
    Rule<Side>{.id = "B-20", .check = &legacy},
    Rule<Side>{.id = "B-21", .check = &v2},
    Rule<Side>{.id = "B-22", .check = &one_each},
};

constexpr std::array kAttestedRules = {
    Rule<Attested>{.id = "B-23", .check = &valid},
    Rule<Attested>{.id = "B-24", .check = &no_consumers},
    Rule<Attested>{.id = "B-25", .check = &bound},
    Rule<Attested>{.id = "B-26", .check = &digest_once},
    Rule<Attested>{.id = "B-27", .check = &sampled_allowed},
    Rule<Attested>{.id = "B-28", .check = &attribution_named},
    Rule<Attested>{.id = "B-29", .check = &clean},
};

constexpr std::array kLaxRule = {Rule<Attested>{.id = "B-30", .check = &lax}};

std::string place(const Side& side, std::size_t index) {
  return member_path(side.name, item_path("system_baselines", index));
}

/// The first finding of one side; its path begins with the side's name.
Findings side_fault(const Side& side, Rules rules) {
  Findings found = first_failure(std::span<const Rule<Side>>(kSideRules), side, rules);
  for (Finding& finding : found) finding.path = member_path(side.name, finding.path);
  const std::size_t count =
      std::min(side.receipt.system_baselines.size(), side.receipt.repetitions.size());
  for (std::size_t i = 0; i < count && found.empty(); ++i) {
    const Attested at{.side = side, .attestation = side.receipt.system_baselines[i], .index = i};
    found = first_failure(std::span<const Rule<Attested>>(kAttestedRules), at, rules);
    if (found.empty() && side.strictness == Strictness::kStrict) {
      found = first_failure(std::span<const Rule<Attested>>(kLaxRule), at, rules);
    }
    for (Finding& finding : found) finding.path = member_path(place(side, i), finding.path);
  }
  return found;
}

}  // namespace

std::string attestation_fault(const GateRequest& request, Strictness strictness, Rules rules) {
  std::set<std::string_view> used;
  for (const auto& [name, receipt] :
       {std::pair<std::string_view, const Receipt&>{"last_accepted", request.last_accepted},
        {"candidate", request.candidate}}) {
    const Side side{.policy = request.policy,
                    .receipt = receipt,
                    .name = name,
                    .used = used,
                    .strictness = strictness};
    const Findings found = side_fault(side, rules);
    if (!found.empty()) return found[0].text();
  }
  return "";
}

Findings lax_policies(const GateRequest& request, Rules rules) {
  Findings all;
  std::set<std::string_view> used;
  for (const auto& [name, receipt] :
       {std::pair<std::string_view, const Receipt&>{"last_accepted", request.last_accepted},
        {"candidate", request.candidate}}) {
    const Side side{.policy = request.policy, .receipt = receipt, .name = name, .used = used};
    for (std::size_t i = 0; i < receipt.system_baselines.size(); ++i) {
      const Attested at{.side = side, .attestation = receipt.system_baselines[i], .index = i};
      for (Finding& finding : first_failure(std::span<const Rule<Attested>>(kLaxRule), at, rules)) {
        finding.path = member_path(place(side, i), finding.path);
        all.push_back(std::move(finding));
      }
    }
  }
  return all;
}

}  // namespace cairn::evidence
