// The findings and the verdict of an attestation (native-performance.md 7.5).
//
// Purpose     one table of conditions serves both directions: writing the findings of a fresh
//             report, and recomputing the verdict of one that was read.
// Invariants  comparisons are strict: a value at its limit is clean. "invalid" is never lowered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/attestation/attestation.h"

namespace cairn::evidence::attestation {

constexpr std::string_view kClean = "clean";
constexpr std::string_view kInvestigate = "investigate";
constexpr std::string_view kInvalid = "invalid";

/// A verdict and what it rests on, in the order of 7.5.
struct Judgement {
  std::string_view verdict = kClean;
  std::vector<Remark> remarks = {};
};

/// Judges the fields of `attestation` by its own policy, normalised. Its verdict and findings are
/// not looked at.
Judgement judge(const Attestation& attestation);

}  // namespace cairn::evidence::attestation
