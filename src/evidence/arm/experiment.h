// What an experiment's runs come to: arm records, receipts and the gate's question
// (native-performance.md 5.1, 5.9, 10.2).
//
// Purpose     fills the template of a lever with what its two arms measured; `cairn bench
//             experiment` is the one caller, and the one writer of receipts.
// Invariants  every run of an arm becomes a repetition, in order; a figure that no run gave is not
//             in the receipt. What is wrong with the runs is found by the receipt's own rules.
// Threads     pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/arm/arm_run.h"
#include "evidence/gate/gate.h"

namespace cairn::evidence {

/// What the runs of one arm have in common.
struct ExperimentArm {
  std::string role;     // baseline or candidate
  std::string command;  // scrubbed
  std::vector<ArmRun> runs;
};

/// What both arms have in common.
struct ExperimentFacts {
  std::string revision;
  std::string machine;           // scrubbed
  std::string reference_sha256;  // of the outputs that are right
};

/// The arm's record: the changed lever off in the baseline and on in the candidate, what it depends
/// on in both, the others as the graph has them.
ArmRecord experiment_arm_record(const Graph& graph, const Lever& lever,
                                const ExperimentFacts& facts, const ExperimentArm& arm);

/// The arm's receipt without attestations, naming `artifact`, the arm record beside it. The quality
/// is the share of the runs whose outputs are the reference's. Errors: as baseline_template.
Result<Receipt> experiment_receipt(const Graph& graph, const Lever& lever,
                                   const ExperimentFacts& facts, const ExperimentArm& arm,
                                   const ProfilerArtifact& artifact);

/// A strict policy against this baseline: every repetition attested, the same outputs, at most a
/// tenth more memory, and the noise and drop limits of 10.4's example.
GatePolicy experiment_policy(const Receipt& baseline);

}  // namespace cairn::evidence
