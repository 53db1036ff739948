// MemoryPlan: what a model will take, computed from its file before anything is allocated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/cache_spec.h"
#include "models/step.h"

namespace cairn::models {

/// What a model is to be run with.
struct MemoryNeed {
  std::size_t pages = 0;  // of each cache slot, kPagePositions positions each
  StepLimits limits = {};
};

/// A cache slot and what one page of it takes.
struct CachePlan {
  CacheSpec spec = {};
  std::uint64_t page_bytes = 0;
};

struct MemoryPlan {
  std::uint64_t file_weight_bytes = 0;  // as the file has them; mapped, given back while packing
  std::uint64_t packed_bytes = 0;       // as the device keeps them, at most
  std::uint64_t loading_bytes = 0;  // most of both that is there at once while the model is loaded
  std::uint64_t page_bytes = 0;     // of one page in every cache slot together
  std::uint64_t cache_bytes = 0;
  std::uint64_t scratch_bytes = 0;
  std::uint64_t logits_bytes = 0;  // on the device, and once more where the sampler reads them
  std::size_t context_length = 0;  // positions the model was trained for
  std::size_t vocabulary = 0;
  std::vector<CachePlan> caches = {};  // slot by slot

  /// Beside the cache.
  std::uint64_t fixed_bytes() const { return packed_bytes + scratch_bytes + logits_bytes; }
  std::uint64_t total() const { return fixed_bytes() + cache_bytes; }
  /// Most that is there at any time: when it is loaded, or when it has run.
  std::uint64_t peak() const { return std::max(total(), loading_bytes); }
};

/// Plans `file` on `device`. Errors: as read_spec; kTooLarge where the sum leaves 64 bits.
Result<MemoryPlan> plan_memory(const formats::ModelFile& file, const kernels::Device& device,
                               const MemoryNeed& need);

/// Pages of each slot that `bytes` hold: floor(bytes / bytes of a page of every slot together); 0
/// for a model without a cache.
std::size_t pages_in(const MemoryPlan& plan, std::uint64_t bytes);

}  // namespace cairn::models
