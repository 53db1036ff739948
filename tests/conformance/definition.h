// The definition of the exact class, restated plainly from docs/numerics.md for comparison.
//
// Purpose     what a tier's kernels must equal to the bit: one output at a time, in loops over
//             ordinary arrays, with std::fma.
// Invariants  shares no code with kernels/: integers of weights come from decoding blocks whose
//             scales are set to one. Elementary functions are base/'s, as the definition says.
// Threads     pure functions.
// Adding      a format: its row in definition.cpp.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "kernels/ops.h"
#include "tensor/element_type.h"

namespace cairn::conformance {

/// Bits equal, all NaNs being equal.
inline bool same(float a, float b) {
  if (std::isnan(a) && std::isnan(b)) return true;
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// Uniform in [-1, 1).
inline float random_value(std::uint64_t seed, std::size_t i) {
  return static_cast<float>(2 * random_unit(seed, 0, i) - 1);
}
std::vector<float> random_values(std::size_t count, std::uint64_t seed);

/// A weight of one type in its source blocks.
struct Weight {
  ElementType type = ElementType::kF32;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<std::byte> bytes = {};

  std::vector<float> decoded() const;  // [rows, cols]
};

/// Random blocks with scales around 1/64; the last row's bytes are fully random (NaN and infinite
/// scales among them).
Weight random_weight(ElementType type, std::size_t rows, std::size_t cols, std::uint64_t seed);

/// Types with a row in the table of integer meanings, and floats.
std::vector<ElementType> weight_types();

/// y [rows of weight] for one row of x.
std::vector<float> project_row(const Weight& weight, std::span<const float> x);

std::vector<float> norm_row(std::span<const float> x, std::span<const float> weight, float eps);
float activate(kernels::Activation activation, float x);
float soft_cap(float x, float cap);

/// Keys, values and queries as plain arrays.
struct AttentionCase {
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  std::size_t dim = 0;
  float scale = 0;
  float cap = 0;
  std::size_t window = 0;
  kernels::CacheType type = kernels::CacheType::kBf16;
};

/// out [heads, dim] of a query at slot `slot` over keys and values [slots, kv_heads, dim].
std::vector<float> attend_row(const AttentionCase& c, std::span<const float> q,
                              std::span<const float> keys, std::span<const float> values,
                              std::size_t slot);

/// The head rotated.
std::vector<float> rotate_row(std::span<const float> head, std::span<const float> inverse_frequency,
                              std::uint32_t position, kernels::RopePairs pairs);

}  // namespace cairn::conformance
