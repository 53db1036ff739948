// A bench record in words: its figures, and a ratio or why there is none.
#pragma once

#include <string>

#include "evidence/bench/bench_record.h"

namespace cairn::evidence {

/// A table of the record's metrics: median of every arm's repetitions, spread, the band of the A/A
/// control; p95 and p99 where M-44 lets them be printed; with two arms the ratio of each metric,
/// "tie" inside the band, or the reasons that forbid one (M-19, M-27, M-30, M-33, M-35, M-36, a
/// busy machine). Ends with what differs between the arms' manifests.
std::string summary_of(const BenchRecord& record, const BenchRecord& control);

}  // namespace cairn::evidence
