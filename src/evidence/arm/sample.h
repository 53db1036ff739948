// Arm records that fit the receipts of receipt/sample.h, for tests to break.
#pragma once

#include "evidence/arm/arm_record.h"
#include "evidence/receipt/sample.h"

namespace cairn::evidence {

/// The arm record of this receipt.
inline ArmRecord sample_arm(const Receipt& receipt, const Graph& graph = pinned_graph()) {
  const Lever& changed = *find_lever(graph, receipt.changed_lever_id);
  const bool candidate = receipt.role == "candidate";
  ArmRecord arm;
  arm.schema = kArmRecordSchema;
  arm.envelope_id = receipt.envelope_id;
  arm.changed_lever_id = receipt.changed_lever_id;
  arm.role = receipt.role;
  arm.revision = receipt.revision;
  for (const Lever& lever : graph.levers) {
    if (lever.applicability.envelope_id != receipt.envelope_id) continue;
    const auto listed = [&](const std::vector<std::string>& ids) {
      return std::ranges::find(ids, lever.id) != ids.end();
    };
    bool on = listed(changed.dependency_ids);
    if (lever.id == changed.id) on = candidate;
    if (listed(changed.conflict_ids)) on = !candidate;
    arm.lever_states.push_back({.lever_id = lever.id, .enabled = on});
  }
  arm.settings = {{.name = "threads", .value = "2", .origin = "flag"}};
  arm.tiers = {{.op = "project", .tier = "avx2"}};
  arm.serving = ServingFigures{.arrival_trace_sha256 = std::string(63, '0') + "3",
                               .ttft_milliseconds = {.p50 = 10, .p95 = 20},
                               .inter_token_milliseconds = {.p50 = 5, .p95 = 6},
                               .aggregate_tokens_per_second = 40,
                               .peak_bytes = 1000,
                               .prefix_hit_rate = 0.5,
                               .fallback_count = 0};
  arm.numeric_gates = {{.name = "cosine", .value = 0.999, .limit = 0.995, .passes = true},
                       {.name = "argmax", .value = 1, .limit = 1, .passes = true},
                       {.name = "maxAbs", .value = 0.01, .limit = 0.02, .passes = true}};
  arm.outputs_sha256 = std::string(63, '0') + "4";
  return arm;
}

}  // namespace cairn::evidence
