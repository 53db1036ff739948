// Plots of bench records as SVG.
//
// Purpose     a picture of what a record holds: how latencies are distributed, and what a token
//             costs at each batch or depth.
// Invariants  every reading of the record is in the picture; a curve is of one record, so of one
//             envelope (M-71); no text of a picture comes from elsewhere than the record.
// Threads     pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/bench/bench_record.h"

namespace cairn::evidence {

/// Metrics of a record that differ in one number: "tpot.d32", "tpot.d512".
struct PlotCurve {
  std::string prefix;  // "tpot.d"
  std::string axis;    // "depth, tokens"
};

/// The share of readings at or below each value, one step line an arm; warm readings alone. ""
/// when the record has no such metric.
std::string distribution_svg(const BenchRecord& record, std::string_view metric);

/// The median of the metrics that begin with the curve's prefix over the number behind it, one line
/// an arm. "" when the record has none.
std::string cost_svg(const BenchRecord& record, const PlotCurve& curve);

/// All of a record's pictures below each other: the curve of each prefix, the distribution of each
/// metric in milliseconds. "" when there is nothing to show.
std::string plots_of(const BenchRecord& record, const std::vector<PlotCurve>& curves);

}  // namespace cairn::evidence
