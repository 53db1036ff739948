#include "evidence/arm/experiment.h"

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "evidence/arm/arm_run_sample.h"
#include "evidence/receipt/attach.h"
#include "evidence/receipt/sample.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

const Graph& graph() {
  static const Graph kGraph = pinned_graph();
  return kGraph;
}

const Lever& lever() { return *find_lever(graph(), "metal.command-buffer-amortization"); }

/// Three runs of the lever's envelope at these decode times.
ExperimentArm arm_of_times(const std::string& role, const std::vector<double>& decode_ms) {
  const Envelope& envelope = *find_envelope(graph(), lever().applicability.envelope_id);
  ExperimentArm arm = {.role = role, .command = "cairn bench arm model.gguf", .runs = {}};
  for (const double ms : decode_ms) {
    ArmRun run = sample_arm_run();
    run.model_sha256 = envelope.artifact_sha256;
    run.device = "metal";
    run.numerics = envelope.forward_path.substr(run.device.size() + 1);
    run.decode_milliseconds = ms;
    run.end_to_end_milliseconds = ms + run.ttft_milliseconds;
    arm.runs.push_back(run);
  }
  return arm;
}

const ExperimentFacts kFacts = {
    .revision = "aaaa", .machine = "m3pro-1", .reference_sha256 = sample_arm_run().outputs_sha256};

/// The receipt with its arm record and sealed attestations.
Receipt attested(const ExperimentArm& arm, int first) {
  const std::string record = document_text(experiment_arm_record(graph(), lever(), kFacts, arm));
  Receipt receipt = *experiment_receipt(
      graph(), lever(), kFacts, arm,
      {.path = arm.role + ".arm.json", .sha256 = sha256_hex(std::string_view(record))});
  for (std::size_t i = 0; i < arm.runs.size(); ++i) {
    const Findings findings =
        attach_attestation(graph(), receipt, sample_attestation(first + static_cast<int>(i)));
    EXPECT_TRUE(findings.empty()) << to_lines(findings, arm.role);
  }
  return receipt;
}

TEST(ExperimentTest, BothReceiptsAndRecordsAreValid) {
  for (const std::string role : {"baseline", "candidate"}) {
    const ExperimentArm arm = arm_of_times(role, {640, 641, 642});
    const Receipt receipt = attested(arm, 0);
    EXPECT_TRUE(validate_receipt(graph(), receipt).empty())
        << to_lines(validate_receipt(graph(), receipt), role);
    EXPECT_TRUE(receipt_warnings(receipt).empty());
    const ArmRecord record = experiment_arm_record(graph(), lever(), kFacts, arm);
    EXPECT_TRUE(check_arm_record(graph(), receipt, record).empty())
        << to_lines(check_arm_record(graph(), receipt, record), role);
  }
}

TEST(ExperimentTest, TheChangedLeverAloneDiffers) {  // M-03
  const ArmRecord off =
      experiment_arm_record(graph(), lever(), kFacts, arm_of_times("baseline", {640}));
  const ArmRecord on =
      experiment_arm_record(graph(), lever(), kFacts, arm_of_times("candidate", {640}));
  EXPECT_TRUE(check_arm_pair(graph(), off, on).empty());
}

TEST(ExperimentTest, AGainPassesALossRegressesUnderTheStrictPolicy) {
  const Receipt baseline = attested(arm_of_times("baseline", {640, 641, 642}), 0);
  EXPECT_EQ(baseline.repetitions[0].tokens_per_second, 100);
  const auto verdict = [&](const std::vector<double>& times) {
    const GateRequest request = {.schema = std::string(kGateRequestSchemaV2),
                                 .policy = experiment_policy(baseline),
                                 .last_accepted = baseline,
                                 .candidate = attested(arm_of_times("candidate", times), 10)};
    const GateResult result = judge(graph(), request, Strictness::kStrict);
    EXPECT_TRUE(result.ok()) << to_lines(result.findings, "request");
    return result.verdict.classification;
  };
  EXPECT_EQ(verdict({500, 501, 502}), "pass");
  EXPECT_EQ(verdict({740, 741, 742}), "regression");
}

TEST(ExperimentTest, OtherOutputsCostQuality) {
  ExperimentArm arm = arm_of_times("candidate", {640, 641, 642, 643});
  arm.runs[1].outputs_sha256 = std::string(63, '0') + "9";
  const Result<Receipt> receipt =
      experiment_receipt(graph(), lever(), kFacts, arm, {.path = "a.json", .sha256 = ""});
  ASSERT_TRUE(receipt.ok());
  EXPECT_EQ(receipt->quality.score, 0.75);
}

TEST(ExperimentTest, AnotherModelIsFoundByTheReceiptsRules) {
  ExperimentArm arm = arm_of_times("baseline", {640, 641, 642});
  for (ArmRun& run : arm.runs) run.model_sha256 = std::string(63, '0') + "9";
  const Result<Receipt> receipt = experiment_receipt(
      graph(), lever(), kFacts, arm, {.path = "a.json", .sha256 = std::string(63, '0') + "1"});
  ASSERT_TRUE(receipt.ok());
  EXPECT_NE(to_lines(validate_receipt(graph(), *receipt), "receipt").find("[R-07]"),
            std::string::npos);
}

}  // namespace
}  // namespace cairn::evidence
