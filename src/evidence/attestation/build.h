// A sealed attestation from the samples of both windows (native-performance.md 7.4 to 7.6).
#pragma once

#include <cstdint>
#include <span>

#include "base/host/snapshot.h"
#include "evidence/attestation/attestation.h"

namespace cairn::evidence::attestation {

/// What was sampled and how the command ended. The samples may stand in any order.
struct Samples {
  std::span<const host::Snapshot> baseline = {};
  std::span<const host::Snapshot> command = {};
  std::int64_t interval_ns = 0;
  std::int64_t root_pid = 0;
  std::int64_t exit_code = 0;
  bool timed_out = false;
};

/// Folds, judges and seals. Without a command sample the report is invalid with the one finding
/// NO_SAMPLES, and its command side is empty.
Attestation build(const Samples& samples, const Policy& policy);

}  // namespace cairn::evidence::attestation
