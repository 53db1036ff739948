// What a block keeps of a sequence between steps, so that the engine can size, share and copy it
// without knowing the block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/ops.h"

namespace cairn::models {

/// How what is kept grows with the sequence.
enum class CacheKind : std::uint8_t {
  kKeysValues,  // pages of keys and values of every position, or of a window of them
  kLatent,      // pages of one latent per position
  kRecurrent,   // one page of fixed size, rewritten by every step
};

/// One cache slot. Layers may share a slot.
struct CacheSpec {
  kernels::KvLayout layout = {};
  std::size_t window = 0;  // positions a query may look back, itself included; 0: all
  CacheKind kind = CacheKind::kKeysValues;
};

}  // namespace cairn::models
