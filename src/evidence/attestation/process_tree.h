// Samples into the process side of an attestation (native-performance.md 7.4): which processes are
// the one measured and its descendants, and what they and the rest used.
//
// Invariants  a process is (pid, start identity), so the counters of a reused pid are never
//             spliced; one that was a descendant once is one for good.
#pragma once

#include <cstdint>
#include <vector>

#include "evidence/attestation/attestation.h"
#include "evidence/attestation/fold.h"

namespace cairn::evidence::attestation {

/// The most consumers that are reported.
constexpr std::size_t kConsumersMax = 5;

/// Processor and memory use of the tree under `root_pid` and of the rest. Cost: linear in the
/// number of entries, times the logarithm of the number of processes.
Attribution fold_attribution(const Series& series, std::int64_t root_pid);

/// The processes outside the tree that used most, most first.
std::vector<Consumer> top_consumers(const Series& series, std::int64_t root_pid);

}  // namespace cairn::evidence::attestation
