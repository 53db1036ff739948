// The arithmetic of comparisons and gates (native-performance.md, chapter 6 and 10.4): sums from
// left to right from 0, nothing fused, nothing dropped, nothing corrected.
#pragma once

#include "evidence/receipt/receipt.h"

namespace cairn::evidence {

/// Tokens per second, the arithmetic mean of all repetitions. At least one repetition.
double mean_rate(const Receipt& receipt);

/// Percent: population standard deviation over the mean, in two passes.
double noise_percent(const Receipt& receipt, double mean);

/// Percent of `accepted` that `candidate` is below it; negative for a gain.
double drop_percent(double accepted, double candidate);

}  // namespace cairn::evidence
