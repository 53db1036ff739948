// M-03: the arm record beside its receipt, one planted defect each.
#include "evidence/arm/arm_record.h"

#include <gtest/gtest.h>

#include <functional>

#include "evidence/arm/sample.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

constexpr std::string_view kNumeric = "cuda.q8_1-activation-quant";

struct Plant {
  std::string path;
  std::function<void(ArmRecord&)> plant;
};

std::string faults(const Receipt& receipt, const ArmRecord& arm, Rules rules = {}) {
  return to_lines(check_arm_record(pinned_graph(), receipt, arm, rules), "arm");
}

void expect_plants(const Receipt& receipt, const std::vector<Plant>& plants) {
  ASSERT_EQ(faults(receipt, sample_arm(receipt)), "");
  for (const Plant& each : plants) {
    ArmRecord arm = sample_arm(receipt);
    each.plant(arm);
    EXPECT_NE(faults(receipt, arm).find("[M-03] " + each.path), std::string::npos)
        << each.path << "\n"
        << faults(receipt, arm);
    EXPECT_EQ(faults(receipt, arm, {.off = "M-03"}), "") << each.path;
  }
}

TEST(ArmRecordTest, IdentityStatesAndServingFiguresAreOfTheReceipt) {  // M-03
  expect_plants(
      sample_candidate(),
      {{"schema", [](ArmRecord& a) { a.schema = "cairn-arm-record/v2"; }},
       {"envelope_id", [](ArmRecord& a) { a.envelope_id = "qwen38-27b-q4k-a100-p1-decode"; }},
       {"changed_lever_id", [](ArmRecord& a) { a.changed_lever_id = "metal.prefix-reuse"; }},
       {"role", [](ArmRecord& a) { a.role = "baseline"; }},
       {"revision", [](ArmRecord& a) { a.revision = "cccc"; }},
       {"lever_states", [](ArmRecord& a) { a.lever_states.pop_back(); }},
       {"lever_states[0].lever_id",
        [](ArmRecord& a) { std::swap(a.lever_states[0], a.lever_states[1]); }},
       {"lever_states: found \"metal.paged-kv\" off",
        [](ArmRecord& a) { a.lever_states[3].enabled = false; }},
       {"lever_states: found \"metal.resident-q4k-weights\" off",
        [](ArmRecord& a) { a.lever_states[0].enabled = false; }},
       {"serving", [](ArmRecord& a) { a.serving.reset(); }},
       {"serving.ttft_milliseconds", [](ArmRecord& a) { a.serving->ttft_milliseconds.p95 = 1; }},
       {"serving.inter_token_milliseconds",
        [](ArmRecord& a) { a.serving->inter_token_milliseconds.p50 = -1; }},
       {"serving.arrival_trace_sha256",
        [](ArmRecord& a) { a.serving->arrival_trace_sha256 = "x"; }},
       {"serving.aggregate_tokens_per_second",
        [](ArmRecord& a) { a.serving->aggregate_tokens_per_second = 0; }},
       {"serving.peak_bytes", [](ArmRecord& a) { a.serving->peak_bytes = 0; }},
       {"serving.prefix_hit_rate", [](ArmRecord& a) { a.serving->prefix_hit_rate = 1.1; }},
       {"serving.fallback_count", [](ArmRecord& a) { a.serving->fallback_count = 1; }},
       {"outputs_sha256", [](ArmRecord& a) { a.outputs_sha256 = std::string(64, '0'); }},
       {"settings[0].value", [](ArmRecord& a) { a.settings[0].value = "/srv/model.gguf"; }},
       {"tiers[0].tier", [](ArmRecord& a) { a.tiers[0].tier = "FILL_TIER"; }}});
}

TEST(ArmRecordTest, TheQuantisedActivationNeedsItsThreeGatesAndItsConflictOff) {  // M-03
  expect_plants(sample_candidate({4, 4.1, 4.2}, kNumeric),
                {{"numeric_gates", [](ArmRecord& a) { a.numeric_gates.reset(); }},
                 {"numeric_gates", [](ArmRecord& a) { a.numeric_gates->pop_back(); }},
                 {"numeric_gates", [](ArmRecord& a) { a.numeric_gates->at(2).value = 0.03; }},
                 {"numeric_gates", [](ArmRecord& a) { a.numeric_gates->at(0).passes = false; }},
                 {"lever_states", [](ArmRecord& a) { a.lever_states[0].enabled = true; }}});
}

TEST(ArmRecordTest, TheChangedLeverIsOffInTheBaseline) {  // M-03
  expect_plants(sample_baseline(), {{"lever_states: found \"metal.paged-kv\" on",
                                     [](ArmRecord& a) { a.lever_states[3].enabled = true; }}});
}

TEST(ArmRecordTest, OtherLeversAreEqualInBothArms) {  // M-03
  const ArmRecord baseline = sample_arm(sample_baseline());
  ArmRecord candidate = sample_arm(sample_candidate());
  EXPECT_TRUE(check_arm_pair(pinned_graph(), baseline, candidate).empty());
  candidate.lever_states[5].enabled = true;
  const Findings found = check_arm_pair(pinned_graph(), baseline, candidate);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].text().starts_with("[M-03] lever_states: found \"metal.chunked-prefill\""));
  EXPECT_TRUE(check_arm_pair(pinned_graph(), baseline, candidate, {.off = "M-03"}).empty());
  EXPECT_TRUE(check_arm_pair(pinned_graph(), sample_arm(sample_baseline({3, 3, 3}, kNumeric)),
                             sample_arm(sample_candidate({4, 4, 4}, kNumeric)))
                  .empty());
}

TEST(ArmRecordTest, ReadingIsStrictAndKeepsEveryKey) {
  const std::string text = document_text(sample_arm(sample_candidate()));
  const Decoded<ArmRecord> read = decode_arm_record(text);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(document_text(read.value), text);
  EXPECT_TRUE(is_arm_record(text));
  EXPECT_FALSE(is_arm_record("{}"));
  std::string missing = text;
  missing.replace(missing.find("\"outputs_sha256\""), 16, "\"outputs_shaXXX\"");
  EXPECT_EQ(decode_arm_record(missing).findings.at(0).ids.at(0), "J-01");
}

TEST(ArmRecordTest, AnArtifactThatIsAnArmRecordIsCheckedAndAnyOtherIsNot) {  // M-03
  const Receipt receipt = sample_candidate();
  ArmRecord arm = sample_arm(receipt);
  const std::string good = document_text(arm);
  const Graph graph = pinned_graph();
  EXPECT_TRUE(check_arm_artifact(graph, receipt, {.index = 0, .bytes = good}).empty());
  EXPECT_TRUE(check_arm_artifact(graph, receipt, {.index = 0, .bytes = "log"}).empty());
  arm.role = "baseline";
  const std::string bad = document_text(arm);
  EXPECT_TRUE(to_lines(check_arm_artifact(graph, receipt, {.index = 0, .bytes = bad}), "r")
                  .find("[M-03] profiler_artifacts[0].role") != std::string::npos);
  std::string broken = good;
  broken.insert(broken.find('{') + 1, "\"x\": 1, ");
  EXPECT_TRUE(to_lines(check_arm_artifact(graph, receipt, {.index = 0, .bytes = broken}), "r")
                  .find("[M-03] [J-01]") != std::string::npos);
}

}  // namespace
}  // namespace cairn::evidence
