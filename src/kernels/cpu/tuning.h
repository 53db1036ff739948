// CpuTuning: what changes only how fast an answer comes, each value a setting (docs/cpu-speed.md).
#pragma once

#include <cstddef>

#include "base/team.h"

namespace cairn::kernels {

struct CpuTuning {
  std::size_t replicated_rows_max = 4;  // inputs up to this are encoded by every worker for itself
  std::size_t prefetch_bytes = 4096;    // packed weights are asked for that long before; 0: never
  TeamWaiting waiting = {};             // of workers for each other
};

}  // namespace cairn::kernels
