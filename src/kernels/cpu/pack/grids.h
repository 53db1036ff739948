// Rows of formats that point into grids, looked up: what tiers lay out as they like.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/element_type.h"

namespace cairn::kernels {

/// One row of a super-block: codes, a scale per 16 values (per 32: the even ones), and what
/// multiplies both.
struct GridCodes {
  alignas(32) std::int8_t q[256] = {};
  alignas(32) std::int16_t scales[16] = {};
  float d = 0;
};
using ReadGrid = void (*)(const std::byte* block, GridCodes& codes);

/// The reader of a type's source blocks, or nullptr for a type without a grid.
ReadGrid grid_reader(ElementType type);

}  // namespace cairn::kernels
