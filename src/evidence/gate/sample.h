// Gate requests that hold, for tests to break.
#pragma once

#include "evidence/gate/gate.h"
#include "evidence/receipt/sample.h"

namespace cairn::evidence {

/// A policy that demands attestations, for candidates beside this accepted receipt.
inline GatePolicy strict_policy(const Receipt& accepted) {
  return {.schema = std::string(kGatePolicySchemaV2),
          .envelope_id = accepted.envelope_id,
          .changed_lever_id = accepted.changed_lever_id,
          .accepted_revision = accepted.revision,
          .minimum_repetitions = 3,
          .maximum_noise_percent = 2,
          .investigate_drop_percent = 2,
          .regression_drop_percent = 5,
          .minimum_throughput_tokens_per_second = 1,
          .maximum_peak_bytes = 1200,
          .quality_metric = "exact_match",
          .minimum_quality_score = 1,
          .quality_higher_is_better = true,
          .required_engine = accepted.execution.engine,
          .required_forward_path = accepted.execution.forward_path,
          .require_system_baseline = true,
          .allow_sampled_system_baseline = true};
}

/// The same policy in a request.
inline GateRequest strict_request(const Receipt& accepted, const Receipt& candidate) {
  return {.schema = std::string(kGateRequestSchemaV2),
          .policy = strict_policy(accepted),
          .last_accepted = accepted,
          .candidate = candidate};
}

}  // namespace cairn::evidence
