#include "evidence/arm/experiment.h"

#include <algorithm>

#include "evidence/compare/statistics.h"

namespace cairn::evidence {
namespace {

Repetition repetition_of(const ArmRun& run) {
  return {.end_to_end_milliseconds = run.end_to_end_milliseconds,
          .tokens_per_second = tokens_per_second(run),
          .ttft_milliseconds = run.ttft_milliseconds,
          .prefill_milliseconds = run.prefill_milliseconds,
          .decode_milliseconds = run.decode_milliseconds,
          .system_baseline_digest = {}};
}

/// The most that any run took.
Memory memory_of(const std::vector<ArmRun>& runs) {
  Memory memory;
  for (const ArmRun& run : runs) {
    memory.peak_bytes = std::max(memory.peak_bytes, run.peak_bytes);
    memory.resident_bytes = std::max(memory.resident_bytes, run.resident_bytes);
  }
  return memory;
}

double share_right(const ExperimentFacts& facts, const std::vector<ArmRun>& runs) {
  const auto right = std::ranges::count(runs, facts.reference_sha256, &ArmRun::outputs_sha256);
  return runs.empty() ? 0 : static_cast<double>(right) / static_cast<double>(runs.size());
}

bool names(const std::vector<std::string>& ids, const std::string& id) {
  return std::ranges::find(ids, id) != ids.end();
}

bool lever_is_on(const Lever& changed, const Lever& other, bool candidate) {
  if (other.id == changed.id) return candidate;
  if (candidate && names(changed.conflict_ids, other.id)) return false;
  return names(changed.dependency_ids, other.id) || other.enabled;
}

}  // namespace

ArmRecord experiment_arm_record(const Graph& graph, const Lever& lever,
                                const ExperimentFacts& facts, const ExperimentArm& arm) {
  ArmRecord record;
  record.schema = kArmRecordSchema;
  record.envelope_id = lever.applicability.envelope_id;
  record.changed_lever_id = lever.id;
  record.role = arm.role;
  record.revision = facts.revision;
  for (const Lever& other : graph.levers) {
    if (other.applicability.envelope_id != record.envelope_id) continue;
    record.lever_states.push_back(
        {.lever_id = other.id, .enabled = lever_is_on(lever, other, arm.role == "candidate")});
  }
  if (arm.runs.empty()) return record;
  record.settings = arm.runs.front().settings;
  record.tiers = {{.op = "all", .tier = arm.runs.front().isa}};
  record.outputs_sha256 = arm.runs.front().outputs_sha256;
  return record;
}

Result<Receipt> experiment_receipt(const Graph& graph, const Lever& lever,
                                   const ExperimentFacts& facts, const ExperimentArm& arm,
                                   const ProfilerArtifact& artifact) {
  CAIRN_ASSIGN(Receipt receipt, baseline_template(graph, lever));
  receipt.role = arm.role;
  receipt.revision = facts.revision;
  receipt.machine.scrubbed_id = facts.machine;
  if (arm.role == "candidate") receipt.changed_axes = {"lever:" + lever.id};
  receipt.repetitions.clear();
  for (const ArmRun& run : arm.runs) receipt.repetitions.push_back(repetition_of(run));
  receipt.memory = memory_of(arm.runs);
  receipt.quality = {
      .name = "exact_match", .score = share_right(facts, arm.runs), .higher_is_better = true};
  receipt.module_versions = {{.module = "cairn", .revision = facts.revision}};
  receipt.commands = {arm.command};
  receipt.profiler_artifacts = {artifact};
  if (arm.runs.empty()) return receipt;
  const ArmRun& first = arm.runs.front();
  receipt.artifact_sha256 = first.model_sha256;
  receipt.execution.forward_path = first.device + "/" + first.numerics;
  receipt.controls.prompt_tokens = first.prompt_tokens;
  receipt.controls.decode_tokens = first.output_tokens - 1;  // decode steps, as tokens_per_second()
  receipt.controls.context_tokens = first.context_tokens;
  receipt.controls.warmups = first.warmups;
  return receipt;
}

GatePolicy experiment_policy(const Receipt& baseline) {
  constexpr double kFloorShare = 0.5;
  const double mean = baseline.repetitions.empty() ? 0 : mean_rate(baseline);
  return {.schema = std::string(kGatePolicySchemaV2),
          .envelope_id = baseline.envelope_id,
          .changed_lever_id = baseline.changed_lever_id,
          .accepted_revision = baseline.revision,
          .minimum_repetitions = std::max<std::int64_t>(baseline.controls.repetitions, 2),
          .maximum_noise_percent = 3,
          .investigate_drop_percent = 2,
          .regression_drop_percent = 5,
          .minimum_throughput_tokens_per_second = mean * kFloorShare,
          .maximum_peak_bytes = baseline.memory.peak_bytes + baseline.memory.peak_bytes / 10,
          .quality_metric = "exact_match",
          .minimum_quality_score = 1,
          .quality_higher_is_better = true,
          .required_engine = baseline.execution.engine,
          .required_forward_path = baseline.execution.forward_path,
          .require_system_baseline = true,
          .allow_sampled_system_baseline = true};
}

}  // namespace cairn::evidence
