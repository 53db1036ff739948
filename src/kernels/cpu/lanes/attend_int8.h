// Queries over pages of int8 codes with scales per slot and block of dimensions. Vectors run across
// slots for scores and across dimensions for values, so every chain is that of the definition: a
// block's scale multiplies its dot product, or the p that its values are weighted by.
#pragma once

#include <algorithm>

#include "kernels/cpu/lanes/attend_softmax.h"
#include "kernels/cpu/pages.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// sums += kVectors * kLanes codes times each query's factor.
template <int kQ, int kVectors>
inline CAIRN_INLINE void add_codes(const std::int8_t* at, const float* const (&factors)[kQ],
                                   Sums<kQ, kVectors>& sums) {
  Floats factor[kQ];
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE { factor[i] = every_float(*factors[i]); });
  unrolled<0, kVectors>([&](auto v) CAIRN_INLINE {
    const Floats x = bytes_as_floats(at + kLanes * v);
    unrolled<0, kQ>([&](auto i)
                        CAIRN_INLINE { sums.of[i][v] = fused(x, factor[i], sums.of[i][v]); });
  });
}

/// A page's keys of one head; what is read next stands `values` and `keys` bytes further on, each
/// as many bytes as these. 0: nothing is asked for.
struct KeyWalk {
  const std::byte* part = nullptr;
  std::ptrdiff_t values = 0;
  std::ptrdiff_t keys = 0;

  CAIRN_INLINE void fetch_later(std::size_t dim) const {
    if (values == 0 || dim % 2 != 0) return;  // two dimensions stand in a cache line
    const auto* at = reinterpret_cast<const char*>(int8_keys(part, dim));
    fetch(at + values);
    fetch(at + keys);
  }
};

/// The walk over the keys of page `page` of [0, end).
inline KeyWalk key_walk(const AttendTask& task, std::size_t page, std::size_t end) {
  const KvLayout& layout = task.cache->layout;
  const std::byte* part = page_keys(*task.cache, task.pages[page], task.kv_head);
  KeyWalk walk = {.part = part};
  if (!task.fetch) return walk;
  walk.values = static_cast<std::ptrdiff_t>(page_part_bytes(layout));
  if ((page + 1) * kPagePositions < end) {
    walk.keys = page_keys(*task.cache, task.pages[page + 1], task.kv_head) - part;
  }
  return walk;
}

/// sums = dimensions [begin, end) of each query times those of kVectors * kLanes keys from `first`.
template <int kQ, int kVectors>
inline CAIRN_INLINE void dot_codes(const KeyWalk& walk, std::size_t first, Slots dims,
                                   const float* const (&q)[kQ], Sums<kQ, kVectors>& sums) {
  clear(sums);
  const float* factors[kQ];
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE { factors[i] = q[i] + dims.begin; });
  for (std::size_t d = dims.begin; d < dims.end; ++d) {
    if (first == 0) walk.fetch_later(d);
    add_codes(int8_keys(walk.part, d) + first, factors, sums);
    unrolled<0, kQ>([&](auto i) CAIRN_INLINE { ++factors[i]; });
  }
}

/// Raw scores of kVectors * kLanes slots of a page, from `first` on: a chain over blocks.
template <int kQ, int kVectors>
inline CAIRN_INLINE void score_codes(const KeyWalk& walk, std::size_t first, const KvLayout& layout,
                                     const float* const (&q)[kQ], float* const (&scores)[kQ]) {
  Sums<kQ, kVectors> totals;
  clear(totals);
  for (std::size_t block = 0; block < int8_blocks(layout); ++block) {
    Sums<kQ, kVectors> dots;
    const std::size_t begin = block * kInt8Dims;
    dot_codes(walk, first, {begin, std::min(begin + kInt8Dims, layout.head_dim)}, q, dots);
    const float* scales = int8_scales(layout, walk.part, block) + first;
    unrolled<0, kVectors>([&](auto v) CAIRN_INLINE {
      const Floats scale = load_floats(scales + kLanes * v);
      unrolled<0, kQ>([&](auto i) CAIRN_INLINE {
        totals.of[i][v] = fused(dots.of[i][v], scale, totals.of[i][v]);
      });
    });
  }
  store(totals, scores);
}

/// p of a page's slots times the scales of a block of its values: [kQ][slot mod 32].
template <int kQ>
inline CAIRN_INLINE void weigh(const float* const (&p)[kQ], const float* scales,
                               float (&weights)[kQ][kPagePositions]) {
  for (std::size_t i = 0; i < kPagePositions; i += kLanes) {
    const Floats scale = load_floats(scales + i);
    for (int q = 0; q < kQ; ++q) {
      store_floats(weights[q] + i, multiply(load_floats(p[q] + i), scale));
    }
  }
}

/// out += p * values for kVectors * kLanes dimensions of one block from d on, by ascending slot.
template <int kQ, int kVectors>
void add_values_int8(const AttendTask& task, std::size_t d, Slots slots,
                     const float* const (&p)[kQ], float* const (&out)[kQ]) {
  const KvLayout& layout = task.cache->layout;
  const std::size_t part = page_part_bytes(layout);
  float* to[kQ];
  const float* from[kQ];
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE { from[i] = to[i] = out[i] + d; });
  Sums<kQ, kVectors> sums;
  load(from, sums);
  for (std::size_t slot = slots.begin; slot < slots.end;) {
    const std::size_t page = slot / kPagePositions;
    const std::size_t end = std::min(slots.end, (page + 1) * kPagePositions);
    const std::byte* values = page_keys(*task.cache, task.pages[page], task.kv_head) + part;
    float weights[kQ][kPagePositions];
    const float* of_page[kQ];
    for (int i = 0; i < kQ; ++i) of_page[i] = p[i] + page * kPagePositions % kChunkSlots;
    weigh<kQ>(of_page, int8_scales(layout, values, d / kInt8Dims), weights);
    const float* factors[kQ];
    unrolled<0, kQ>([&](auto i) CAIRN_INLINE { factors[i] = weights[i] + slot % kPagePositions; });
    const std::int8_t* at = int8_values(layout, values, slot) + d;
    for (; slot < end; ++slot, at += layout.head_dim) {
      add_codes(at, factors, sums);
      unrolled<0, kQ>([&](auto i) CAIRN_INLINE { ++factors[i]; });
    }
  }
  store(sums, to);
}

/// The dimensions that fill no vector.
inline void add_last_codes(const AttendTask& task, std::size_t d, Slots slots, const float* p,
                           float* out) {
  const KvLayout& layout = task.cache->layout;
  for (; d < layout.head_dim; ++d) {
    for (std::size_t slot = slots.begin; slot < slots.end; ++slot) {
      const std::byte* values =
          page_keys(*task.cache, task.pages[slot / kPagePositions], task.kv_head) +
          page_part_bytes(layout);
      const auto value = static_cast<float>(int8_values(layout, values, slot)[d]);
      const float scale = int8_scales(layout, values, d / kInt8Dims)[slot % kPagePositions];
      out[d] = __builtin_fmaf(value, p[slot % kChunkSlots] * scale, out[d]);
    }
  }
}

/// What attend.cpp asks of a cache type.
struct Int8Cache {
  static constexpr std::size_t kValueDims = kInt8Dims;

  template <int kQ>
  static void score(const AttendTask& task, const Query* queries, Slots slots, Scores* scores) {
    constexpr int kVectors = score_vectors(kQ);
    constexpr std::size_t kStep = std::size_t{kLanes} * kVectors;
    const float* q[kQ];
    for (int i = 0; i < kQ; ++i) q[i] = queries[i].q;
    for (std::size_t page = slots.begin / kPagePositions; page * kPagePositions < slots.end;
         ++page) {
      const KeyWalk walk = key_walk(task, page, slots.end);
      for (std::size_t first = 0; first < kPagePositions; first += kStep) {
        float* to[kQ];
        for (int i = 0; i < kQ; ++i) {
          to[i] = scores[i] + page * kPagePositions % kChunkSlots + first;
        }
        score_codes<kQ, kVectors>(walk, first, task.cache->layout, q, to);
      }
    }
  }

  template <int kQ, int kVectors>
  static void add(const AttendTask& task, std::size_t d, Slots slots, const float* const (&p)[kQ],
                  float* const (&out)[kQ]) {
    add_values_int8<kQ, kVectors>(task, d, slots, p, out);
  }
  static void add_last(const AttendTask& task, std::size_t d, Slots slots, const float* p,
                       float* out) {
    add_last_codes(task, d, slots, p, out);
  }
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
