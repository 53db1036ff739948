// MemoryPlan: what a model will take, computed from its file before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/cache_spec.h"
#include "models/step.h"

namespace cairn::models {

/// What a model is to be run with.
struct MemoryNeed {
  std::size_t positions = 0;  // of all sequences together, in the cache
  StepLimits limits = {};
};

struct MemoryPlan {
  std::uint64_t file_weight_bytes = 0;  // as the file has them; mapped, given back while packing
  std::uint64_t packed_bytes = 0;       // as the device keeps them, at most
  std::uint64_t page_bytes = 0;         // of kPagePositions positions in all caches
  std::uint64_t cache_bytes = 0;
  std::uint64_t scratch_bytes = 0;
  std::size_t context_length = 0;  // positions the model was trained for

  std::uint64_t total() const { return packed_bytes + cache_bytes + scratch_bytes; }
};

/// Plans `file` on `device`. Errors: as read_spec; kTooLarge where the sum leaves 64 bits.
Result<MemoryPlan> plan_memory(const formats::ModelFile& file, const kernels::Device& device,
                               const MemoryNeed& need);

/// Errors: kTooLarge with the parts of `plan`, `available_bytes` and the largest context that fits.
Status check_fits(const MemoryPlan& plan, std::uint64_t available_bytes);

/// Positions that fit into `available_bytes` beside weights and scratch, in whole pages.
std::size_t positions_that_fit(const MemoryPlan& plan, std::uint64_t available_bytes);

}  // namespace cairn::models
