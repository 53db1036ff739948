// Every rule of the gate, one planted defect each, and the vectors of 10.9.
#include "evidence/gate/gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "evidence/receipt/sample.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

GateRequest request(const std::vector<double>& candidate_rates) {
  GateRequest asked;
  asked.schema = "fak-native-performance-gate-request/v1";
  asked.last_accepted = sample_baseline({100, 101, 100});
  asked.candidate = sample_candidate(candidate_rates);
  asked.policy = {.schema = "fak-native-performance-gate-policy/v1",
                  .envelope_id = asked.candidate.envelope_id,
                  .changed_lever_id = asked.candidate.changed_lever_id,
                  .accepted_revision = "aaaa",
                  .minimum_repetitions = 3,
                  .maximum_noise_percent = 2,
                  .investigate_drop_percent = 2,
                  .regression_drop_percent = 5,
                  .minimum_throughput_tokens_per_second = 90,
                  .maximum_peak_bytes = 1200,
                  .quality_metric = "exact_match",
                  .minimum_quality_score = 1,
                  .quality_higher_is_better = true,
                  .required_engine = "fak-native",
                  .required_forward_path = "metal/qwen35-hybrid-session-v1"};
  return asked;
}

/// A v2 request whose policy demands attestations, with all of them there.
GateRequest strict_request(const std::vector<double>& candidate_rates) {
  GateRequest asked = request(candidate_rates);
  asked.schema = "fak-native-performance-gate-request/v2";
  asked.policy.schema = "fak-native-performance-gate-policy/v2";
  asked.policy.require_system_baseline = true;
  asked.policy.allow_sampled_system_baseline = true;
  attest(asked.last_accepted, 0);
  attest(asked.candidate, 10);
  return asked;
}

using Change = std::function<void(GateRequest&)>;

struct Plant {
  std::string id;
  std::string what;
  Change change;
};

GateVerdict verdict_of(const GateRequest& asked, Strictness strictness = Strictness::kDefault) {
  const GateResult result = judge(pinned_graph(), asked, strictness);
  EXPECT_TRUE(result.ok()) << to_lines(result.findings, "request");
  return result.verdict;
}

std::string status_of(const GateVerdict& verdict, std::string_view name) {
  for (const GateCheck& check : verdict.checks) {
    if (check.name == name) return check.status;
  }
  return "none";
}

TEST(GateTest, TheVectorsComeOutAsTheContractSays) {  // T-91
  GateVerdict verdict = verdict_of(request({100, 101, 100}));
  EXPECT_EQ(verdict.classification, "pass");
  EXPECT_EQ(verdict.throughput_delta_percent, 0);
  EXPECT_NEAR(verdict.accepted_noise_percent, 0.469838393, 5e-10);
  EXPECT_FALSE(verdict.bisect);
  EXPECT_TRUE(verdict.suspect_modules.empty());

  verdict = verdict_of(request({97, 97, 97}));
  EXPECT_EQ(verdict.classification, "investigate");
  EXPECT_NEAR(verdict.throughput_delta_percent, -3.322259136, 5e-10);
  ASSERT_TRUE(verdict.bisect);
  EXPECT_EQ(verdict.bisect->guarded_commands[0],
            "dos arbitrate --lane native-performance --paths internal/nativeperf");

  verdict = verdict_of(request({90, 90, 90}));
  EXPECT_EQ(verdict.classification, "regression");
  EXPECT_NEAR(verdict.throughput_delta_percent, -10.299003322, 5e-10);
  EXPECT_EQ(verdict_of(request({50, 50, 50})).classification, "regression");
}

TEST(GateTest, TheLimitsThemselvesBelongToTheWorseSide) {  // T-92
  const auto classified = [](double rate) {
    GateRequest asked = request({rate, rate, rate});
    asked.last_accepted = sample_baseline({100, 100, 100});
    return verdict_of(asked).classification;
  };
  EXPECT_EQ(classified(98), "investigate");
  EXPECT_EQ(classified(98.1), "pass");
  EXPECT_EQ(classified(95), "regression");
  EXPECT_EQ(classified(95.1), "investigate");
  GateRequest asked = request({100, 101, 100});
  asked.policy.maximum_noise_percent = verdict_of(asked).candidate_noise_percent;
  EXPECT_EQ(verdict_of(asked).classification, "pass");
  asked.policy.maximum_noise_percent = std::nextafter(asked.policy.maximum_noise_percent, 0);
  EXPECT_EQ(verdict_of(asked).classification, "investigate");
}

TEST(GateTest, WhatACandidateDoesWrongIsAVerdict) {  // T-93, T-94
  const Plant plants[] = {
      {"quality", "below", [](GateRequest& r) { r.candidate.quality.score = 0.9; }},
      {"quality", "metric", [](GateRequest& r) { r.candidate.quality.name = "other"; }},
      {"quality", "way", [](GateRequest& r) { r.candidate.quality.higher_is_better = false; }},
      {"fallback", "one", [](GateRequest& r) { r.candidate.execution.fallback_count = 1; }},
      {"engine", "other", [](GateRequest& r) { r.candidate.execution.engine = "other"; }},
      {"forward_path", "other", [](GateRequest& r) { r.candidate.execution.forward_path = "x"; }},
      {"memory", "peak", [](GateRequest& r) { r.candidate.memory.peak_bytes = 1201; }},
      {"throughput_floor", "floor",
       [](GateRequest& r) { r.policy.minimum_throughput_tokens_per_second = 101; }},
  };
  for (const Plant& plant : plants) {
    GateRequest asked = request({100, 101, 100});
    plant.change(asked);
    const GateVerdict verdict = verdict_of(asked);
    EXPECT_EQ(verdict.classification, "regression") << plant.id << plant.what;
    EXPECT_EQ(status_of(verdict, plant.id), "fail") << plant.id;
    EXPECT_TRUE(verdict.bisect);
  }
  GateRequest lower = request({100, 101, 100});
  lower.policy.quality_higher_is_better = false;
  lower.candidate.quality = {.name = "exact_match", .score = 0.5, .higher_is_better = false};
  EXPECT_EQ(verdict_of(lower).classification, "pass");
}

std::vector<Plant> structural_plants() {
  return {
      {"B-01", "schema", [](GateRequest& r) { r.schema = "v3"; }},
      {"B-02", "lever", [](GateRequest& r) { r.policy.changed_lever_id = "cuda.dp4a-q4k-mmvq"; }},
      {"B-03", "T-99 order", [](GateRequest& r) { r.policy.regression_drop_percent = 2; }},
      {"B-03", "T-99 repetitions", [](GateRequest& r) { r.policy.minimum_repetitions = 1; }},
      {"B-03", "noise", [](GateRequest& r) { r.policy.maximum_noise_percent = -1; }},
      {"B-03", "peak", [](GateRequest& r) { r.policy.maximum_peak_bytes = 0; }},
      {"B-03", "schema", [](GateRequest& r) { r.policy.schema = "v3"; }},
      {"B-03", "metric", [](GateRequest& r) { r.policy.quality_metric = ""; }},
      {"B-03", "engine", [](GateRequest& r) { r.policy.required_engine = "cairn"; }},
      {"B-03", "path", [](GateRequest& r) { r.policy.required_forward_path = "x"; }},
      {"B-03", "legacy", [](GateRequest& r) { r.policy.minimum_clean_repetitions = -1; }},
      {"B-04", "T-99",
       [](GateRequest& r) {
         r = strict_request({100, 100, 100});
         r.policy.schema = "fak-native-performance-gate-policy/v1";
       }},
      {"B-05", "T-99",
       [](GateRequest& r) {
         r = strict_request({100, 100, 100});
         r.policy.require_system_baseline = false;
       }},
      {"B-06", "T-99",
       [](GateRequest& r) {
         r = strict_request({100, 100, 100});
         r.policy.require_ambient_evidence = true;
       }},
      {"B-07", "T-99",
       [](GateRequest& r) { r.policy.schema = "fak-native-performance-gate-policy/v2"; }},
      {"B-08", "T-95", [](GateRequest& r) { r.last_accepted.execution.fallback_count = 1; }},
      {"B-09", "revision", [](GateRequest& r) { r.candidate.revision = ""; }},
      {"B-10", "T-100", [](GateRequest& r) { r.policy.accepted_revision = "cccc"; }},
      {"B-11", "roles",
       [](GateRequest& r) {
         std::swap(r.last_accepted, r.candidate);
         r.policy.accepted_revision = "bbbb";
       }},
      {"B-12", "T-100",
       [](GateRequest& r) {
         r.candidate = sample_candidate({100, 100, 100}, "cuda.dp4a-q4k-mmvq");
         r.candidate.execution = r.last_accepted.execution;
       }},
      {"B-13", "lever",
       [](GateRequest& r) {
         r.candidate = sample_candidate({100, 100, 100}, "metal.prefix-reuse");
       }},
      {"B-14", "batch", [](GateRequest& r) { r.candidate.controls.batch = 2; }},
      {"B-15", "repetitions", [](GateRequest& r) { r.policy.minimum_repetitions = 4; }},
      {"B-16", "none", [](GateRequest& r) { r.policy.require_ambient_evidence = true; }},
      {"C-07", "infinite",
       [](GateRequest& r) {
         r.last_accepted = sample_baseline({1e308, 1e308, 1e308});
       }},
  };
}

TEST(GateTest, EveryStructuralRuleIsAnErrorAndSilentWhenOff) {
  const Graph graph = pinned_graph();
  for (const Plant& plant : structural_plants()) {
    GateRequest asked = request({100, 101, 100});
    plant.change(asked);
    const Findings findings = judge(graph, asked).findings;
    ASSERT_FALSE(findings.empty()) << plant.id << plant.what;
    EXPECT_EQ(findings[0].ids[0], plant.id) << findings[0].text();
    for (const Finding& other :
         judge(graph, asked, Strictness::kDefault, {.off = plant.id}).findings) {
      EXPECT_NE(other.ids[0], plant.id) << other.text();
    }
  }
}

TEST(GateTest, AV1PolicyMaySayFalse) {
  GateRequest asked = request({100, 101, 100});
  std::string text = canonical_text(asked);
  const std::string_view path = R"("required_forward_path":"metal/qwen35-hybrid-session-v1")";
  text.insert(text.find(path) + path.size(), R"(,"require_system_baseline":false)");
  const Decoded<GateRequest> read = decode_gate_request(text);
  ASSERT_TRUE(read.ok()) << to_lines(read.findings, "request");
  EXPECT_EQ(verdict_of(read.value).classification, "pass");
}

std::vector<Plant> attestation_plants() {
  return {
      {"B-20", "legacy",
       [](GateRequest& r) { r.candidate.ambient_evidence.assign(3, sample_ambient()); }},
      {"B-21", "T-96 v1",
       [](GateRequest& r) {
         r.candidate = sample_candidate({100, 100, 100});
         r.candidate.schema = kReceiptSchemaV1;
       }},
      {"B-22", "T-96 missing", [](GateRequest& r) { r.candidate.system_baselines.pop_back(); }},
      {"B-22", "T-96 extra",
       [](GateRequest& r) { r.candidate.system_baselines.push_back(sample_attestation(30)); }},
      {"B-23", "T-96 edited",
       [](GateRequest& r) { r.candidate.system_baselines[0].timed_out = true; }},
      {"B-23", "T-96 invalid",
       [](GateRequest& r) {
         attestation::VectorSamples samples = attestation::vector_a();
         samples.exit_code = 7;
         r.candidate.system_baselines[0] = samples.report();
       }},
      {"B-24", "T-96 consumers",
       [](GateRequest& r) {
         attestation::Attestation& one = r.candidate.system_baselines[0];
         one.policy.include_top_consumers = true;
         one.top_non_sut_consumers = {{{.image = "x", .pid = 4}}};
         attestation::seal(one);
       }},
      {"B-25", "digest",
       [](GateRequest& r) { r.candidate.system_baselines[0] = sample_attestation(30); }},
      {"B-26", "T-96 across", [](GateRequest& r) { attest(r.candidate, 0); }},
      {"B-27", "T-97", [](GateRequest& r) { r.policy.allow_sampled_system_baseline = false; }},
      {"B-28", "nothing",
       [](GateRequest& r) {
         attestation::Attestation& one = r.candidate.system_baselines[0];
         one.coverage.descendant_attribution.clear();
         attestation::seal(one);
         r.candidate.repetitions[0].system_baseline_digest = one.digest;
       }},
      {"B-29", "T-43, T-96 busy",
       [](GateRequest& r) {
         attestation::Attestation& one = r.candidate.system_baselines[0];
         one = attestation::vector_samples(2'000'000'000).report();
         r.candidate.repetitions[0].system_baseline_digest = one.digest;
       }},
  };
}

TEST(GateTest, AttestationsThatDoNotQualifyAreInvestigatedWithoutBisect) {
  for (const Plant& plant : attestation_plants()) {
    GateRequest asked = strict_request({50, 50, 50});
    plant.change(asked);
    const GateResult result = judge(pinned_graph(), asked);
    ASSERT_TRUE(result.ok()) << plant.id << to_lines(result.findings, "request");
    EXPECT_EQ(result.verdict.classification, "investigate") << plant.id << plant.what;
    EXPECT_FALSE(result.verdict.bisect) << plant.id;
    EXPECT_TRUE(result.verdict.suspect_modules.empty());
    const GateCheck& last = result.verdict.checks.back();
    EXPECT_EQ(last.name, "system_baseline");
    EXPECT_TRUE(last.detail.starts_with("[" + plant.id + "]")) << plant.id << " " << last.detail;
    const GateResult off = judge(pinned_graph(), asked, Strictness::kDefault, {.off = plant.id});
    EXPECT_FALSE(off.verdict.checks.back().detail.starts_with("[" + plant.id + "]")) << plant.id;
  }
}

TEST(GateTest, AHardFailureWinsOverMissingAttestations) {  // T-98
  GateRequest asked = strict_request({50, 50, 50});
  asked.candidate.system_baselines.clear();
  EXPECT_EQ(verdict_of(asked).classification, "investigate");
  asked.candidate.memory.peak_bytes = 5000;
  EXPECT_EQ(verdict_of(asked).classification, "regression");
  EXPECT_EQ(verdict_of(strict_request({100, 101, 100})).classification, "pass");
}

TEST(GateTest, ALaxAttestationOnlyCountsUnderStrict) {  // T-103, B-30
  GateRequest asked = strict_request({100, 101, 100});
  attestation::Attestation& one = asked.candidate.system_baselines[0];
  one.policy.maximum_non_sut_cpu_percent = 100;
  one.policy.maximum_sampler_duty_percent = 100;
  attestation::seal(one);
  asked.candidate.repetitions[0].system_baseline_digest = one.digest;
  const GateResult plain = judge(pinned_graph(), asked);
  EXPECT_EQ(plain.verdict.classification, "pass");
  ASSERT_EQ(plain.warnings.size(), 1U);
  EXPECT_EQ(plain.warnings[0].ids[0], "B-30");
  const GateVerdict strict = verdict_of(asked, Strictness::kStrict);
  EXPECT_EQ(strict.classification, "investigate");
  EXPECT_TRUE(strict.checks.back().detail.starts_with("[B-30]"));
  EXPECT_EQ(
      judge(pinned_graph(), asked, Strictness::kStrict, {.off = "B-30"}).verdict.classification,
      "pass");
}

TEST(GateTest, ALegacyRecordThatIsNotCleanIsInvestigated) {  // B-16
  GateRequest asked = request({100, 101, 100});
  asked.policy.require_ambient_evidence = true;
  asked.last_accepted.ambient_evidence.assign(3, sample_ambient());
  asked.candidate.ambient_evidence.assign(3, sample_ambient());
  EXPECT_EQ(verdict_of(asked).classification, "pass");
  AmbientRecord busy = sample_ambient();
  busy.verdict = "investigate";
  busy.digest = digest_of(busy);
  asked.candidate.ambient_evidence[1] = busy;
  const GateVerdict verdict = verdict_of(asked);
  EXPECT_EQ(verdict.classification, "investigate");
  ASSERT_EQ(verdict.checks.size(), 1U);
  EXPECT_EQ(verdict.checks[0].name, "ambient_evidence");
}

TEST(GateTest, SuspectsAreModulesThatChangedOnBothSidesSorted) {  // T-101
  GateRequest asked = request({50, 50, 50});
  asked.last_accepted.module_versions = {{"z", "1"}, {"same", "1"}, {"gone", "1"}, {"a", "1"}};
  asked.candidate.module_versions = {{"new", "1"}, {"a", "2"}, {"same", "1"}, {"z", "2"}};
  const GateVerdict verdict = verdict_of(asked);
  ASSERT_EQ(verdict.suspect_modules.size(), 2U);
  EXPECT_EQ(verdict.suspect_modules[0].module, "a");
  EXPECT_EQ(verdict.suspect_modules[1].module, "z");
  EXPECT_EQ(verdict.bisect->guarded_commands[0],
            "dos arbitrate --lane native-performance --paths a,z");
  EXPECT_EQ(verdict.bisect->guarded_commands[1], "fak native-performance --gate gate-request.json");
}

}  // namespace
}  // namespace cairn::evidence
