// What a block keeps of a sequence between steps, so that the engine can size, share and copy it
// without knowing the block.
#pragma once

#include <cstddef>

#include "kernels/ops.h"

namespace cairn::models {

/// One cache slot: paged keys and values. Layers may share a slot.
struct CacheSpec {
  kernels::KvLayout layout = {};
  std::size_t window = 0;  // positions a query may look back, itself included; 0: all
};

}  // namespace cairn::models
