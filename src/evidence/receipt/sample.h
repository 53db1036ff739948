// Valid receipts of the pinned graph, for tests to break.
#pragma once

#include <string>

#include "evidence/attestation/vectors.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/receipt/receipt.h"

namespace cairn::evidence {

/// A baseline of the Metal envelope with these throughputs.
inline Receipt sample_baseline(const std::vector<double>& rates = {3, 3.1, 3.2},
                               std::string_view lever = "metal.paged-kv") {
  const Graph graph = pinned_graph();
  Receipt receipt = *baseline_template(graph, *find_lever(graph, lever));
  const bool cuda = lever.starts_with("cuda");
  receipt.revision = "aaaa";
  if (cuda) receipt.artifact_sha256 = std::string(63, '0') + "1";
  receipt.machine.scrubbed_id = cuda ? "a100-80gib-1" : "m3pro-1";
  receipt.repetitions.clear();
  for (const double rate : rates) {
    receipt.repetitions.push_back({.end_to_end_milliseconds = 64000 / rate,
                                   .tokens_per_second = rate,
                                   .ttft_milliseconds = 1,
                                   .prefill_milliseconds = 2,
                                   .decode_milliseconds = 3,
                                   .system_baseline_digest = ""});
  }
  receipt.memory = {.peak_bytes = 1000, .resident_bytes = 900};
  receipt.quality = {.name = "exact_match", .score = 1, .higher_is_better = true};
  receipt.module_versions = {{.module = "engine", .revision = "1"},
                             {.module = "kernels", .revision = "1"}};
  receipt.commands = {"fak bench decode --prompt 32"};
  receipt.profiler_artifacts = {{.path = "profiles/a.json", .sha256 = std::string(63, '0') + "2"}};
  return receipt;
}

/// A sealed clean attestation; another digest for each `number`.
inline attestation::Attestation sample_attestation(int number) {
  attestation::Attestation one = attestation::vector_a().report();
  one.coverage.process_reads += number;
  attestation::seal(one);
  return one;
}

/// Binds an attestation to each repetition, numbered from `first`.
inline void attest(Receipt& receipt, int first) {
  receipt.system_baselines.clear();
  for (std::size_t i = 0; i < receipt.repetitions.size(); ++i) {
    receipt.system_baselines.push_back(sample_attestation(first + static_cast<int>(i)));
    receipt.repetitions[i].system_baseline_digest = receipt.system_baselines[i].digest;
  }
}

/// A valid legacy record.
inline AmbientRecord sample_ambient() {
  AmbientRecord record;
  record.schema = "fak-native-ambient-evidence/v1";
  record.started_at = "2026-08-23T00:00:00Z";
  record.ended_at = "2026-08-23T00:00:01Z";
  record.elapsed_milliseconds = 1000;
  record.sample_interval_milliseconds = 250;
  record.source = "host counters";
  record.platform = "linux";
  record.host_cpu_percent = {.availability = "measured", .value = 12.5};
  record.available_memory_bytes = {.availability = "measured", .value = 1e9};
  record.process_churn = {.availability = "unavailable", .value = 0};
  record.non_sut_cpu_percent = {.availability = "unknown", .value = 0};
  record.verdict = "clean";
  record.digest = digest_of(record);
  return record;
}

/// Its candidate.
inline Receipt sample_candidate(const std::vector<double>& rates = {4, 4.1, 4.2},
                                std::string_view lever = "metal.paged-kv") {
  Receipt receipt = sample_baseline(rates, lever);
  receipt.role = "candidate";
  receipt.revision = "bbbb";
  receipt.changed_axes = {"lever:" + receipt.changed_lever_id};
  return receipt;
}

}  // namespace cairn::evidence
