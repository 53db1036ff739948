// CpuTuning: what changes only how fast an answer comes, each value a setting (docs/cpu-speed.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace cairn::kernels {

/// Where the sines and cosines of rotations come from.
enum class Angles : std::uint8_t {
  kPerLayer,  // computed again by every layer
  kKept,      // once per position and kind of rotation
};

struct CpuTuning {
  std::size_t replicated_rows_max = 4;  // inputs up to this are encoded by every worker for itself
  std::size_t prefetch_bytes = 0;       // packed weights are asked for that long before; 0: never
  Angles angles = Angles::kKept;
};

}  // namespace cairn::kernels
