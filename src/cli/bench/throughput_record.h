// `cairn bench throughput` as a bench record, behind its A/A control.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/bench/command.h"
#include "cli/throughput.h"

namespace cairn::cli {

/// What is measured: one load for every number of answers at once.
struct ThroughputSeries {
  std::string model;
  std::vector<ThroughputLoad> loads;
  Settings settings;
  std::vector<evidence::BenchSetting> kept;
};

/// Measures under the lock and delivers as the flags say. Errors: as open_model and run_case.
Status record_throughput(const BenchFlags& flags, const ThroughputSeries& series, Output& out,
                         const std::function<bool()>& cancelled);

}  // namespace cairn::cli
