// The operations of a forward pass: one struct with its contract per op.
//
// Purpose     models/ composes these; a device implements them. An op is of the size of this
// domain. Invariants  every worker of the team calls the same ops in the same order; an op splits
// its work
//             by worker and returns when all workers may read its output. Ops cannot fail: what can
//             is checked at load. A row's result depends on that row and its sequence alone.
// Threads     each worker has its own Ops object; the structs are read only.
// Adding      a struct here, its line in CAIRN_OPS, and the portable kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/token.h"
#include "tensor/view.h"

namespace cairn::kernels {

class PackedMatrix;

/// One position of one sequence in a step. Slot and position differ: the slot is where its keys and
/// values are kept, the position is what the rotation sees.
struct Row {
  std::uint32_t sequence = 0;
  std::uint32_t slot = 0;
  std::uint32_t position[3] = {};
  TokenId token = 0;
  std::int32_t input_embedding = -1;  // row of the step's input embeddings instead of a token
  std::int32_t parent = -1;  // a row of this step to attend through; -1: all slots up to its own
  bool wants_logits = false;
  bool wants_best = false;  // of its logits only the two best: none of them is stored
  bool wants_hidden = false;
  std::uint32_t adapter = 0;
};

/// y = c / sqrt(mean(c^2) + eps) * weight + bias, where c is x, or x - mean(x) when centred.
/// Source: Zhang and Sennrich 2019, arXiv 1910.07467; Ba et al. 2016, arXiv 1607.06450 (centred).
struct Norm {
  const float* weight = nullptr;  // [cols], device address; nullptr: no norm
  float eps = 0;
  bool centred = false;
  const float* bias = nullptr;  // [cols], only when centred
};

enum class Activation : std::uint8_t { kSilu, kGeluTanh, kReluSquared };

/// What happens to a projection's result.
enum class Epilogue : std::uint8_t {
  kStore,     // out = y
  kAddTo,     // out += y
  kActivate,  // out = activation(y)
  kGate,  // out = activation(y[first half]) * y[second half]; the weight is gate rows, then up rows
};

/// out [t, cols] = scale * table[rows[t].token], decoded as the file's format says.
struct Embed {
  std::span<const Row> rows = {};
  const PackedMatrix* table = nullptr;
  float scale = 1;
  Matrix out = {};
};

/// out = epilogue(scale * (weight · norm(x) + bias)).
/// Shapes  x [t, k]; weight [n, k]; out [t, n], or [t, n / 2] with kGate. x and out do not overlap,
///         except that kAddTo reads and writes out.
struct Project {
  ConstMatrix x = {};
  Norm norm = {};
  const PackedMatrix* weight = nullptr;
  const float* bias = nullptr;  // [n], device address
  float scale = 1;              // must be 1 with kActivate and kGate
  Epilogue epilogue = Epilogue::kStore;
  Activation activation = Activation::kSilu;
  Matrix out = {};
};

/// x += norm(y), row by row: the residual of families that norm after a sublayer.
struct AddNormed {
  ConstMatrix y = {};
  Norm norm = {};
  Matrix x = {};
};

enum class RopePairs : std::uint8_t {
  kHalves,    // (i, i + dims / 2)
  kAdjacent,  // (2i, 2i + 1)
};

/// Rotation by position * inverse_frequency. Source: Su et al. 2021, arXiv 2104.09864, section 3.
struct Rope {
  std::size_t dims = 0;  // rotated leading dimensions of a head; 0: none
  RopePairs pairs = RopePairs::kHalves;
  const float* inverse_frequency = nullptr;  // [dims / 2] radians per position, device address
  float magnitude = 1;                       // multiplies sine and cosine (YaRN's attention factor)
};

/// How a cached key or value is kept. kInt8: codes of 8 bits and one f32 scale per position, kv
/// head and kind (key or value).
enum class CacheType : std::uint8_t { kBf16, kF32, kInt8 };

/// Shape of what one layer keeps per position.
struct KvLayout {
  std::size_t kv_heads = 0;
  std::size_t head_dim = 0;
  CacheType type = CacheType::kBf16;
};

inline constexpr std::size_t kPagePositions = 32;

/// One layer's pages. Page p of the pool starts at pool + p * Device::page_bytes(layout).
struct KvPages {
  KvLayout layout = {};
  std::byte* pool = nullptr;  // device address
  std::span<const std::span<const std::uint32_t>> block_tables =
      {};  // per sequence: page of slots 32 i up to 32 i + 31
};

/// What q_norm and k_norm take, and when.
enum class HeadNorms : std::uint8_t {
  kEach,         // every head by itself: weights [head_dim]
  kEachRotated,  // the same, after the rotation
  kAll,          // all heads together: weights [heads * head_dim] and [kv_heads * head_dim]
};

/// Norms and rotates queries and keys, appends keys and values to the cache, attends:
///   out[t, h] = softmax(soft_cap(scale * q[t, h] . K[kv(h)])) V[kv(h)],  kv(h) = h * kv_heads /
///   heads
/// Shapes  qkv [t, (heads + 2 kv_heads) * head_dim]: queries, keys, values; may be overwritten
///         out [t, heads * head_dim]
/// Units   window: positions a query may look back, itself included; 0: all
/// Source  Kwon et al. 2023, arXiv 2309.06180, section 4.1 (block table); Milakov and Gimelshein
/// 2018,
///         arXiv 1805.02867 (merging partial softmaxes); docs/numerics.md for the order of every
///         sum.
struct Attend {
  std::span<const Row> rows = {};
  Matrix qkv = {};
  std::size_t heads = 0;
  float scale = 0;
  std::size_t window = 0;
  float soft_cap = 0;  // 0: none; else cap * tanh(s / cap)
  HeadNorms head_norms = HeadNorms::kEach;
  Norm q_norm = {};
  Norm k_norm = {};
  Rope rope = {};
  KvPages cache = {};
  Matrix out = {};
};

/// The two largest logits of a row; of equal ones the lower id counts as the larger.
struct BestTwo {
  TokenId id = 0;  // of the largest
  float first = 0;
  float second = 0;  // -infinity where there is one logit only
  std::uint32_t finite =
      1;  // 0: some logit of the row is infinite or NaN, and the rest is not told
};

/// out [w, vocabulary] = soft_cap(scale * head · norm(x)) for the w rows with wants_logits, in
/// order. Of a row that wants_best too, out's row stays as it is and its BestTwo is written.
struct Logits {
  std::span<const Row> rows = {};
  ConstMatrix x = {};
  Norm norm = {};
  const PackedMatrix* head = nullptr;
  float scale = 1;
  float soft_cap = 0;
  Matrix out = {};
  BestTwo* best = nullptr;  // [w], device address; for rows that want it
};

}  // namespace cairn::kernels

/// Every op once: struct and method. Devices, Ops and the tests' wrappers are generated from it.
#define CAIRN_OPS(X)       \
  X(Embed, embed)          \
  X(Project, project)      \
  X(AddNormed, add_normed) \
  X(Attend, attend)        \
  X(Logits, logits)
