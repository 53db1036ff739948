// Kernels: what a tier of the CPU device offers, and what the ops hand it.
//
// Purpose     ops.cpp splits rows, keeps barriers and applies epilogues once; a tier brings the
//             inner loops. The reference class is a table too.
// Invariants  a kernel's result for one token or head depends on that token or head alone. Tables
//             of the exact class give the portable tier's bits. A field that a tier leaves null is
//             taken from the next tier of the same device (tiers.cpp); the portable tier and the
//             reference class fill all of them.
// Threads     pure functions of what they are handed.
// Adding      a kernel: a field here, its name in CAIRN_KERNELS, the portable tier's line; then the
//             other tiers' tables, each when it has something faster.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/cpu/packed_matrix.h"
#include "kernels/device.h"
#include "kernels/ops.h"

namespace cairn::kernels {

/// Rows quantised in blocks of `block` values (A32 or A256): q [t, cols], d [t, cols / block], sums
/// of q by 16 values [t, cols / 16] and by 32 [t, cols / 32]; the latter also times d and times
/// -128, as kernels add them to products.
struct Quantised {
  std::size_t block = 32;
  std::size_t cols = 0;
  std::int8_t* q = nullptr;
  float* d = nullptr;
  std::int16_t* sums = nullptr;
  std::int32_t* sums32 = nullptr;
  std::int32_t* minus128_sums32 = nullptr;
  float* scaled_sums32 = nullptr;

  std::int8_t* q_row(std::size_t t) const { return q + t * cols; }
  float* d_row(std::size_t t) const { return d + t * (cols / block); }
  std::int16_t* sums_row(std::size_t t) const { return sums + t * (cols / 16); }
  std::int32_t* sums32_row(std::size_t t) const { return sums32 + t * (cols / 32); }
  /// Keeps the sum of values 32 s to 32 s + 31 of row t in all its forms; its
  /// block's d is there already.
  void put_sum32(std::size_t t, std::size_t s, std::int32_t sum) const {
    const std::size_t at = t * (cols / 32) + s;
    sums32[at] = sum;
    minus128_sums32[at] = -128 * sum;
    scaled_sums32[at] = d_row(t)[32 * s / block] * static_cast<float>(sum);
  }
};

/// The input of a projection, in each encoding that its weight eats.
struct Inputs {
  ConstMatrix values = {};  // normed
  Quantised a32 = {};
  Quantised a256 = {};
};

/// Which encodings a weight eats.
struct Needs {
  bool values = false;
  bool a32 = false;
  bool a256 = false;
};

struct TokenRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Consecutive row groups of one segment times the inputs of `tokens`: y [groups][tokens][16].
struct DotTask {
  const PackedSegment* segment = nullptr;
  std::size_t group = 0;  // the first
  std::size_t groups = 1;
  const Inputs* inputs = nullptr;
  TokenRange tokens = {};
  float* y = nullptr;
  std::size_t ahead = 0;  // bytes of the segment to ask memory for before they are read; 0: none
};
using Dot = void (*)(const DotTask& task);

/// A kernel per element type, by the type's number; types that are never weights keep theirs null.
inline constexpr std::size_t kDotTypes = 43;
using Dots = std::array<Dot, kDotTypes>;

/// A type's kernel, and tables of them.
struct DotRow {
  ElementType type = ElementType::kF32;
  Dot dot = nullptr;
};
constexpr Dots dots_of(std::span<const DotRow> rows) {
  Dots dots = {};
  for (const DotRow& row : rows) dots[static_cast<std::size_t>(row.type)] = row.dot;
  return dots;
}
/// One kernel that reads every format.
constexpr Dots every_type(Dot dot) {
  Dots dots = {};
  dots.fill(dot);
  return dots;
}

/// One query head and the slots [begin, end) of its sequence that it attends to in one chunk;
/// nothing is done for an empty range. The rest is the result: the chunk's largest score, the sum
/// of p = exp(score - maximum), and values [head_dim], the sum of p times the values of the slots.
struct Query {
  const float* q = nullptr;  // [head_dim]
  std::size_t begin = 0;
  std::size_t end = 0;
  float maximum = 0;
  float sum = 0;
  float* values = nullptr;
};

/// Queries over one kv head of one sequence.
struct AttendTask {
  std::span<Query> queries = {};
  const KvPages* cache = nullptr;
  std::span<const std::uint32_t> pages = {};
  std::size_t kv_head = 0;
  float scale = 0;
  float soft_cap = 0;
  double* wide = nullptr;  // [head_dim] scratch
  bool fetch = false;      // ask memory for values and further keys while keys are read
};

/// Slots of a chunk: absolute multiples of it, merged ascending.
inline constexpr std::size_t kChunkSlots = 256;

struct Kernels {
  std::string_view isa;
  Numerics numerics = Numerics::kExact;
  CacheType cache_type = CacheType::kBf16;
  /// The encoding a weight of this type eats.
  Needs (*needs)(const PackedSegment& segment) = nullptr;
  /// out = x / sqrt(mean(x^2) + eps) * weight; out may be x.
  void (*norm)(std::span<const float> x, const Norm& norm, float* out) = nullptr;
  /// Row t of `out` from x.
  void (*quantise)(std::span<const float> x, const Quantised& out, std::size_t t) = nullptr;
  /// Rows of a weight times tokens.
  Dots dots = {};
  /// out[i] = activation(gate[i]) * up[i].
  void (*gate)(Activation activation, std::span<const float> gate, const float* up,
               float* out) = nullptr;
  /// cap * tanh(x / cap).
  float (*soft_cap)(float x, float cap) = nullptr;
  /// cosines [dims / 2] and sines [dims / 2] of position * inverse_frequency, times the magnitude.
  void (*angles)(const Rope& rope, std::uint32_t position, float* cosines, float* sines) = nullptr;
  /// All slots of a task's queries lie in one chunk of `chunk_slots`.
  void (*attend)(const AttendTask& task) = nullptr;
  std::size_t chunk_slots = kChunkSlots;

  /// The kernel of a segment's type.
  Dot dot_of(const PackedSegment& segment) const {
    return dots[static_cast<std::size_t>(segment.type)];
  }
};

}  // namespace cairn::kernels

/// Every kernel that a tier may leave to the next one, but for the dots, which are by type.
#define CAIRN_KERNELS(X) X(needs) X(norm) X(quantise) X(gate) X(soft_cap) X(angles) X(attend)
