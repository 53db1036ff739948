// Every rule of a receipt, one planted defect each.
#include "evidence/receipt/receipt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "evidence/receipt/sample.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Plant {
  std::string id;
  std::string what;
  std::function<void(Receipt&)> plant;
};

bool has(const Findings& findings, std::string_view id) {
  return std::ranges::any_of(findings,
                             [&](const Finding& finding) { return finding.ids[0] == id; });
}

std::vector<Plant> identity_plants() {
  return {
      {"R-01", "schema", [](Receipt& r) { r.schema = "v3"; }},
      {"R-02", "T-38 attestation",
       [](Receipt& r) {
         r.schema = kReceiptSchemaV1;
         attest(r, 0);
       }},
      {"R-02", "T-38 digest",
       [](Receipt& r) {
         r.schema = kReceiptSchemaV1;
         r.repetitions[0].system_baseline_digest = "sha256:0";
       }},
      {"R-03", "role", [](Receipt& r) { r.role = "both"; }},
      {"R-04", "lever", [](Receipt& r) { r.changed_lever_id = "metal.nothing"; }},
      {"R-05", "envelope", [](Receipt& r) { r.envelope_id = "qwen38-27b-q4k-a100-p1-decode"; }},
      {"R-06", "platform", [](Receipt& r) { r.machine.platform = "linux/arm64"; }},
      {"R-06", "backend", [](Receipt& r) { r.machine.backend = "cuda"; }},
      {"R-07", "hash", [](Receipt& r) { r.artifact_sha256[0] = '0'; }},
      {"R-08", "blank", [](Receipt& r) { r.revision = " "; }},
      {"R-08", "placeholder", [](Receipt& r) { r.revision = "FILL_X"; }},
      {"R-09", "T-26", [](Receipt& r) { r.machine.scrubbed_id = "FILL_SCRUBBED_MACHINE_ID"; }},
      {"R-09", "T-27", [](Receipt& r) { r.machine.scrubbed_id = "user@host"; }},
      {"R-09", "T-27", [](Receipt& r) { r.machine.scrubbed_id = "/x"; }},
      {"R-09", "T-27", [](Receipt& r) { r.machine.scrubbed_id = "a:b"; }},
      {"R-09", "T-27", [](Receipt& r) { r.machine.scrubbed_id = "c\\d"; }},
      {"R-09", "T-27", [](Receipt& r) { r.machine.scrubbed_id = "SSH box"; }},
      {"R-10", "T-31 engine", [](Receipt& r) { r.execution.engine = " "; }},
      {"R-10", "path", [](Receipt& r) { r.execution.forward_path = ""; }},
      {"R-11", "T-31 engine", [](Receipt& r) { r.execution.engine = "other"; }},
      {"R-12", "T-31 one", [](Receipt& r) { r.execution.fallback_count = 1; }},
      {"R-12", "T-31 minus one", [](Receipt& r) { r.execution.fallback_count = -1; }},
      {"R-13", "path", [](Receipt& r) { r.execution.forward_path = "metal/other"; }},
      {"R-14", "blank", [](Receipt& r) { r.quality.name = ""; }},
      {"R-14", "placeholder", [](Receipt& r) { r.quality.name = "FILL_QUALITY_METRIC"; }},
      {"R-14", "score", [](Receipt& r) { r.quality.score = kInfinity; }},
      {"R-15", "none", [](Receipt& r) { r.module_versions.clear(); }},
      {"R-15", "T-36 twice", [](Receipt& r) { r.module_versions[1].module = "engine"; }},
      {"R-15", "T-36 placeholder", [](Receipt& r) { r.module_versions[1].revision = "FILL_R"; }},
  };
}

std::vector<Plant> measurement_plants() {
  return {
      {"R-16", "batch", [](Receipt& r) { r.controls.batch = 0; }},
      {"R-16", "context", [](Receipt& r) { r.controls.context_tokens = 0; }},
      {"R-16", "prompt", [](Receipt& r) { r.controls.prompt_tokens = 0; }},
      {"R-16", "decode", [](Receipt& r) { r.controls.decode_tokens = 0; }},
      {"R-16", "warmups", [](Receipt& r) { r.controls.warmups = -1; }},
      {"R-16", "repetitions", [](Receipt& r) { r.controls.repetitions = 0; }},
      {"R-16", "temperature", [](Receipt& r) { r.controls.temperature = kInfinity; }},
      {"R-17", "T-32", [](Receipt& r) { r.controls.prompt_tokens = 31; }},
      {"R-17", "decode", [](Receipt& r) { r.controls.decode_tokens = 65; }},
      {"R-17", "temperature", [](Receipt& r) { r.controls.temperature = 0.5; }},
      {"R-17", "repetitions", [](Receipt& r) { r.controls.repetitions = 4; }},
      {"R-18", "T-33", [](Receipt& r) { r.repetitions.pop_back(); }},
      {"R-19", "T-33 rate", [](Receipt& r) { r.repetitions[1].tokens_per_second = 0; }},
      {"R-19", "T-33 latency", [](Receipt& r) { r.repetitions[1].end_to_end_milliseconds = 0; }},
      {"R-19", "infinite", [](Receipt& r) { r.repetitions[1].tokens_per_second = kInfinity; }},
      {"R-19", "stage", [](Receipt& r) { r.repetitions[1].decode_milliseconds = -1; }},
      {"R-20", "peak", [](Receipt& r) { r.memory.peak_bytes = 0; }},
      {"R-20", "resident", [](Receipt& r) { r.memory.resident_bytes = 0; }},
      {"R-20", "order", [](Receipt& r) { r.memory.resident_bytes = 1001; }},
      {"R-21", "T-35 missing", [](Receipt& r) { r.unchanged_controls.pop_back(); }},
      {"R-21", "T-35 twice", [](Receipt& r) { r.unchanged_controls.push_back("batch"); }},
      {"R-22", "T-34 baseline", [](Receipt& r) { r.changed_axes = {"lever:metal.paged-kv"}; }},
      {"R-22", "T-34 none", [](Receipt& r) { r.role = "candidate"; }},
      {"R-22", "T-34 another",
       [](Receipt& r) {
         r.role = "candidate";
         r.changed_axes = {"lever:metal.prefix-reuse"};
       }},
      {"R-22", "T-34 two",
       [](Receipt& r) {
         r.role = "candidate";
         r.changed_axes = {"lever:metal.paged-kv", "lever:metal.paged-kv"};
       }},
      {"R-23", "none", [](Receipt& r) { r.commands.clear(); }},
      {"R-23", "T-28 users", [](Receipt& r) { r.commands = {"run /Users/x"}; }},
      {"R-23", "T-28 home", [](Receipt& r) { r.commands = {"run a/HOME/x"}; }},
      {"R-23", "T-28 at", [](Receipt& r) { r.commands = {"run u@h"}; }},
      {"R-23", "T-28 empty", [](Receipt& r) { r.commands = {""}; }},
      {"R-23", "placeholder", [](Receipt& r) { r.commands = {"FILL_SCRUBBED_CAPTURE_COMMAND"}; }},
      {"R-24", "none", [](Receipt& r) { r.profiler_artifacts.clear(); }},
      {"R-24", "T-29", [](Receipt& r) { r.profiler_artifacts[0].path = "/x"; }},
      {"R-24", "T-29", [](Receipt& r) { r.profiler_artifacts[0].path = "C:/x"; }},
      {"R-24", "T-29", [](Receipt& r) { r.profiler_artifacts[0].path = "../x"; }},
      {"R-24", "T-29", [](Receipt& r) { r.profiler_artifacts[0].path = "~/x"; }},
      {"R-24", "T-29", [](Receipt& r) { r.profiler_artifacts[0].path = ""; }},
      {"R-24", "placeholder", [](Receipt& r) { r.profiler_artifacts[0].path = "FILL_PATH"; }},
      {"R-24", "T-30", [](Receipt& r) { r.profiler_artifacts[0].sha256[63] = 'A'; }},
      {"R-24", "T-30", [](Receipt& r) { r.profiler_artifacts[0].sha256.pop_back(); }},
      {"R-24", "T-30", [](Receipt& r) { r.profiler_artifacts[0].sha256 = std::string(64, '0'); }},
      {"R-33", "T-28", [](Receipt& r) { r.commands = {"run --model /srv/x.gguf"}; }},
      {"R-33", "T-28", [](Receipt& r) { r.commands = {"scp box:/data/x ."}; }},
      {"R-33", "T-28", [](Receipt& r) { r.commands = {"http://node7:80"}; }},
      {"R-33", "module", [](Receipt& r) { r.module_versions[0].revision = "/home/x"; }},
      {"J-13", "sampling", [](Receipt& r) { r.controls.sampling = "FILL_SAMPLING"; }},
  };
}

std::vector<Plant> attachment_plants() {
  return {
      {"R-25", "T-39",
       [](Receipt& r) {
         attest(r, 0);
         r.ambient_evidence.assign(3, sample_ambient());
       }},
      {"R-26", "count", [](Receipt& r) { r.ambient_evidence.assign(2, sample_ambient()); }},
      {"R-26", "digest",
       [](Receipt& r) {
         r.ambient_evidence.assign(3, sample_ambient());
         r.ambient_evidence[1].elapsed_milliseconds = 999;
       }},
      {"R-26", "failed command",
       [](Receipt& r) {
         AmbientRecord record = sample_ambient();
         record.command_exit_code = 1;
         record.digest = digest_of(record);
         r.ambient_evidence.assign(3, record);
       }},
      {"R-26", "value not measured",
       [](Receipt& r) {
         AmbientRecord record = sample_ambient();
         record.process_churn.value = 1;
         record.digest = digest_of(record);
         r.ambient_evidence.assign(3, record);
       }},
      {"R-27", "edited",
       [](Receipt& r) {
         attest(r, 0);
         r.system_baselines[1].coverage.process_reads += 1;
       }},
      {"R-28", "consumers",
       [](Receipt& r) {
         attest(r, 0);
         r.system_baselines[0].policy.include_top_consumers = true;
         r.system_baselines[0].top_non_sut_consumers = {{{.image = "x", .pid = 4}}};
       }},
      {"R-29", "T-40 reuse",
       [](Receipt& r) {
         attest(r, 0);
         r.system_baselines[2] = r.system_baselines[0];
       }},
      {"R-30", "T-40 one too many",
       [](Receipt& r) {
         attest(r, 0);
         r.system_baselines.push_back(sample_attestation(9));
       }},
      {"R-31", "T-40 mismatch",
       [](Receipt& r) {
         attest(r, 0);
         r.repetitions[1].system_baseline_digest = r.system_baselines[0].digest;
       }},
      {"R-31", "T-40 hole",
       [](Receipt& r) {
         attest(r, 0);
         r.system_baselines.erase(r.system_baselines.begin());
       }},
  };
}

TEST(ReceiptTest, AFilledReceiptIsValidWithAndWithoutAttestations) {
  const Graph graph = pinned_graph();
  Receipt receipt = sample_baseline();
  EXPECT_EQ(to_lines(validate_receipt(graph, receipt), "r"), "");
  EXPECT_EQ(to_lines(validate_receipt(graph, sample_candidate()), "r"), "");
  attest(receipt, 0);
  EXPECT_EQ(to_lines(validate_receipt(graph, receipt), "r"), "");
  receipt.system_baselines.pop_back();  // partly attached
  receipt.repetitions[2].system_baseline_digest.clear();
  EXPECT_EQ(to_lines(validate_receipt(graph, receipt), "r"), "");
  Receipt old = sample_baseline();
  old.schema = kReceiptSchemaV1;
  old.ambient_evidence.assign(3, sample_ambient());
  EXPECT_EQ(to_lines(validate_receipt(graph, old), "r"), "");
}

TEST(ReceiptTest, EveryRuleFindsItsDefectAndIsSilentWhenOff) {
  const Graph graph = pinned_graph();
  for (const auto& plants : {identity_plants(), measurement_plants(), attachment_plants()}) {
    for (const Plant& plant : plants) {
      Receipt receipt = sample_baseline();
      plant.plant(receipt);
      EXPECT_TRUE(has(validate_receipt(graph, receipt), plant.id)) << plant.id << plant.what;
      EXPECT_FALSE(has(validate_receipt(graph, receipt, {.off = plant.id}), plant.id)) << plant.id;
    }
  }
}

TEST(ReceiptTest, ANestedFindingPrintsBothIds) {
  Receipt receipt = sample_baseline();
  attest(receipt, 0);
  receipt.system_baselines[1].coverage.process_reads += 1;
  const Findings findings = validate_receipt(pinned_graph(), receipt);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].ids, (std::vector<std::string>{"R-27", "A-04"}));
  EXPECT_TRUE(findings[0].path.starts_with("system_baselines[1]")) << findings[0].path;
}

TEST(ReceiptTest, ControlsMayStandInAnyOrder) {  // T-35
  Receipt receipt = sample_baseline();
  std::ranges::reverse(receipt.unchanged_controls);
  EXPECT_TRUE(validate_receipt(pinned_graph(), receipt).empty());
}

TEST(ReceiptTest, AnOpenPinWantsTheRealHashAndTheMemoryInTheId) {  // T-48
  const Graph graph = pinned_graph();
  Receipt receipt = sample_baseline({11, 11, 11}, "cuda.dp4a-q4k-mmvq");
  EXPECT_EQ(to_lines(validate_receipt(graph, receipt), "r"), "");
  receipt.controls.decode_tokens = 65;  // R-17 leaves this one envelope's out (D-04)
  EXPECT_TRUE(validate_receipt(graph, receipt).empty());
  receipt.artifact_sha256 = "issue-8635-pinned-artifact";
  EXPECT_TRUE(has(validate_receipt(graph, receipt), "R-07"));
  receipt = sample_baseline({11, 11, 11}, "cuda.dp4a-q4k-mmvq");
  for (const std::string_view id : {"a100-1", "a100-0gib", "a100-80gibs", "80gibx-1"}) {
    receipt.machine.scrubbed_id = id;
    EXPECT_TRUE(has(validate_receipt(graph, receipt), "R-32")) << id;
    EXPECT_FALSE(has(validate_receipt(graph, receipt, {.off = "R-32"}), "R-32"));
  }
  for (const std::string_view id : {"80gib", "a.40gib", "x_80gib.y"}) {
    receipt.machine.scrubbed_id = id;
    EXPECT_TRUE(validate_receipt(graph, receipt).empty()) << id;
  }
}

TEST(ReceiptTest, ATemplateOfEachLeverIsEmittedAndDoesNotValidate) {  // T-24
  const Graph graph = pinned_graph();
  ASSERT_EQ(graph.levers.size(), 12U);
  for (const Lever& lever : graph.levers) {
    const Result<Receipt> receipt = baseline_template(graph, lever);
    ASSERT_TRUE(receipt.ok());
    const Decoded<Receipt> read = decode_receipt(document_text(*receipt));
    ASSERT_TRUE(read.ok()) << to_lines(read.findings, "template");
    const Findings findings = validate_receipt(graph, read.value);
    for (const std::string_view id :
         {"R-08", "R-09", "R-14", "R-15", "R-19", "R-20", "R-23", "R-24"}) {
      EXPECT_TRUE(has(findings, id)) << lever.id << " " << id;
    }
    EXPECT_EQ(read.value.controls.context_tokens, lever.id.starts_with("cuda") ? 65 : 96);
  }
}

TEST(ReceiptTest, MissingKeysOfAReceiptNeverReadAsZero) {  // T-104
  const std::string text = canonical_text(sample_baseline());
  ASSERT_TRUE(decode_receipt(text).ok());
  for (const std::string_view key :
       {"\"fallback_count\":0", "\"score\":1,", "\"temperature\":0,", "\"peak_bytes\":1000,"}) {
    std::string broken = text;
    const std::size_t at = broken.find(key);
    ASSERT_NE(at, std::string::npos) << key;
    broken.replace(at, key.size(), key.ends_with(',') ? "" : "\"other\":0");
    const Findings findings = decode_receipt(broken).findings;
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_TRUE(findings[0].ids[0] == "J-16" || findings[0].ids[0] == "J-01") << key;
  }
}

TEST(ReceiptTest, AReceiptSurvivesWritingAndReading) {
  Receipt receipt = sample_candidate();
  attest(receipt, 4);
  const std::string text = document_text(receipt);
  const Decoded<Receipt> read = decode_receipt(text);
  ASSERT_TRUE(read.ok()) << to_lines(read.findings, "receipt");
  EXPECT_EQ(document_text(read.value), text);
}

TEST(ReceiptTest, AStageFieldOfZeroIsOnlyWarnedOf) {
  Receipt receipt = sample_baseline();
  EXPECT_TRUE(receipt_warnings(receipt).empty());
  receipt.repetitions[2].prefill_milliseconds = 0;
  EXPECT_TRUE(validate_receipt(pinned_graph(), receipt).empty());
  EXPECT_TRUE(has(receipt_warnings(receipt), "R-34"));
  EXPECT_TRUE(receipt_warnings(receipt, {.off = "R-34"}).empty());
  receipt.schema = kReceiptSchemaV1;
  EXPECT_TRUE(receipt_warnings(receipt).empty());
}

}  // namespace
}  // namespace cairn::evidence
