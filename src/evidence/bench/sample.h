// Valid bench records, for tests to break.
#pragma once

#include <string>
#include <vector>

#include "evidence/bench/bench_record.h"
#include "evidence/receipt/sample.h"

namespace cairn::evidence {

/// 64 digits that end with `last`.
inline std::string sample_hash(char last) { return std::string(63, '0') + last; }

/// The manifest of both arms.
inline Manifest sample_manifest() {
  return {.model_sha256 = sample_hash('1'),
          .bytes_per_token = 700,
          .prompt_corpus_sha256 = sample_hash('2'),
          .batch_cap = 1,
          .token_budget = 256,
          .context_tokens = 2048,
          .kv_type = "bf16",
          .state_type = "f32",
          .kernel_family = "avx2",
          .compile_mode = "compiled",
          .sampling = "greedy",
          .cache_state = "cold",
          .threads = 2,
          .version = "1.0",
          .build_flags = "release",
          .missing_isa = {},
          .memory_reservation = "none"};
}

/// What a sample record measured: one reading per repetition and arm.
struct SampleReadings {
  std::string metric = "decode_rate";
  std::string unit = "tokens/s (decode)";
  bool higher_is_better = true;
  std::vector<double> ours = {200, 201, 202};
  std::vector<double> reference = {100, 100.5, 101};
};

/// Adds the samples of one round, arms reversed every other time; cold ones before the warm.
inline void add_round(BenchRecord& record, const SampleReadings& readings, std::size_t round,
                      bool cold) {
  const auto number = static_cast<std::int64_t>(round) + 1;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t arm = round % 2 == 0 ? i : 1 - i;
    const std::vector<double>& values = arm == 0 ? readings.ours : readings.reference;
    const int attestation = static_cast<int>(2 * round + arm);
    record.samples.push_back({.arm = record.arms[arm].name,
                              .repetition = number,
                              .cold = cold,
                              .metric = readings.metric,
                              .values = {values[round]},
                              .system_baseline_digest = sample_attestation(attestation).digest});
  }
}

/// A sealed record of two arms that did the same work.
inline BenchRecord sample_record(const SampleReadings& readings = {}) {
  BenchRecord record;
  record.schema = kBenchRecordSchema;
  record.subject = {.key = "smollm2 decode", .kind = "latency", .run_id = "run-1"};
  record.arms = {{.name = "cairn", .role = "ours", .manifest = sample_manifest(), .tiers = {}},
                 {.name = "peer", .role = "reference", .manifest = sample_manifest(), .tiers = {}}};
  record.arms[0].tiers = std::vector<TierChoice>{{.op = "project", .tier = "avx2"}};
  for (std::size_t round = 0; round < readings.ours.size(); ++round) {
    for (const BenchArm& arm : record.arms) {
      record.work.push_back({.arm = arm.name,
                             .repetition = static_cast<std::int64_t>(round) + 1,
                             .requests = 1,
                             .prompt_tokens = 32,
                             .output_tokens = 64,
                             .outputs_sha256 = sample_hash('5')});
    }
    add_round(record, readings, round, false);
  }
  record.units = {{.metric = readings.metric, .unit = readings.unit}};
  record.direction = {{.metric = readings.metric, .higher_is_better = readings.higher_is_better}};
  record.machine = {.scrubbed_id = "lab-1",
                    .platform = "linux/amd64",
                    .backend = "cpu",
                    .host_state = {.boot_id_before = "b1",
                                   .boot_id_after = "b1",
                                   .clock_before_utc = "2026-11-30T10:00:00Z",
                                   .clock_after_utc = "2026-11-30T10:05:00Z",
                                   .lock = std::string(kBenchLock)}};
  record.settings = {
      {.arm = "cairn", .setting = {.name = "threads", .value = "2", .origin = "flag"}}};
  seal(record);
  return record;
}

/// Its A/A control: two arms of the same, warm and cold.
inline BenchRecord sample_control(SampleReadings readings = {}) {
  readings.ours = {100, 100.2, 100.4};
  readings.reference = {100.1, 100.1, 100.5};
  BenchRecord record = sample_record(readings);
  record.subject.control = true;
  record.subject.key += " A/A";
  record.arms[0].name = "first";
  record.arms[1].name = "second";
  record.arms[1].tiers = record.arms[0].tiers;
  record.samples.clear();
  record.settings[0].arm = "first";
  for (std::size_t i = 0; i < record.work.size(); ++i) {
    record.work[i].arm = record.arms[i % 2].name;
  }
  for (std::size_t round = 0; round < readings.ours.size(); ++round) {
    add_round(record, readings, round, true);
    add_round(record, readings, round, false);
  }
  record.machine.host_state.clock_before_utc = "2026-11-30T09:50:00Z";
  record.machine.host_state.clock_after_utc = "2026-11-30T09:55:00Z";
  seal(record);
  return record;
}

}  // namespace cairn::evidence
