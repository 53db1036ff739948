// Attaching an attestation to a receipt (native-performance.md 5.8).
#pragma once

#include "evidence/receipt/receipt.h"

namespace cairn::evidence {

/// Appends the attestation and binds it to the repetition of the same place (X-01..X-08). A v1
/// receipt becomes v2. On a finding `receipt` is half changed and must not be used.
Findings attach_attestation(const Graph& graph, Receipt& receipt,
                            const attestation::Attestation& attestation, Rules rules = {});

}  // namespace cairn::evidence
