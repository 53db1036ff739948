// Queries over pages of bf16 pairs. Vectors run across slots for scores and across dimensions for
// values, so every chain is that of the definition.
#pragma once

#include <algorithm>

#include "kernels/cpu/lanes/attend_softmax.h"
#include "kernels/cpu/pages.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// sums += the even (or odd) elements of the pairs at `at` times each query's factor.
template <bool kOdd, int kQ, int kVectors>
inline CAIRN_INLINE void add_single(const std::byte* at, const float* const (&factors)[kQ],
                                    Sums<kQ, kVectors>& sums) {
  Floats factor[kQ];
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE { factor[i] = every_float(*factors[i]); });
  unrolled<0, kVectors>([&](auto v) CAIRN_INLINE {
    const Ints pairs = load(at + kLanes * 4 * v);
    const Floats x = kOdd ? odd(pairs) : even(pairs);
    unrolled<0, kQ>([&](auto i)
                        CAIRN_INLINE { sums.of[i][v] = fused(x, factor[i], sums.of[i][v]); });
  });
}

/// `count` rows of pairs, `stride` bytes apart. What is read next stands `values` and `keys` bytes
/// further on, each as many bytes as this; it is asked for line by line. 0: nothing is.
struct Walk {
  const std::byte* at = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
  std::ptrdiff_t values = 0;
  std::ptrdiff_t keys = 0;

  CAIRN_INLINE void fetch_later() const {
    if (values == 0) return;
    for (std::ptrdiff_t line = 0; line < std::ptrdiff_t{4 * kPagePositions}; line += 64) {
      fetch(reinterpret_cast<const char*>(at + values + line));
      fetch(reinterpret_cast<const char*>(at + keys + line));
    }
  }
};

/// sums += even * factors[2 j], then odd * factors[2 j + 1]. Moves the walk and the factors behind
/// them. A pair is loaded twice: its even and its odd elements at once, and both factors of each
/// query, would take more than sixteen registers.
template <int kQ, int kVectors>
inline CAIRN_INLINE void add_pairs(Walk& walk, const float* (&factors)[kQ],
                                   Sums<kQ, kVectors>& sums) {
  for (; walk.count > 0; --walk.count, walk.at += walk.stride) {
    walk.fetch_later();
    add_single<false>(walk.at, factors, sums);
    unrolled<0, kQ>([&](auto i) CAIRN_INLINE { ++factors[i]; });
    add_single<true>(walk.at, factors, sums);
    unrolled<0, kQ>([&](auto i) CAIRN_INLINE { ++factors[i]; });
  }
}

/// Raw scores of kVectors * kLanes slots: the pairs of their dimensions, and an odd one's behind
/// them.
template <int kQ, int kVectors>
inline CAIRN_INLINE void score_slots(Walk walk, std::size_t dims, const float* const (&q)[kQ],
                                     float* const (&scores)[kQ]) {
  Sums<kQ, kVectors> sums;
  clear(sums);
  const float* factors[kQ];
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE { factors[i] = q[i]; });
  add_pairs(walk, factors, sums);
  if (dims % 2 != 0) add_single<false>(walk.at, factors, sums);
  store(sums, scores);
}

/// The walk over the keys of page `page` of [0, end): while they are read, its values and the next
/// page's keys are asked for.
Walk keys_of(const AttendTask& task, std::size_t page, std::size_t end) {
  const KvLayout& layout = task.cache->layout;
  const std::byte* keys = page_keys(*task.cache, task.pages[page], task.kv_head);
  Walk walk = {.at = keys, .stride = 4 * kPagePositions, .count = layout.head_dim / 2};
  if (!task.fetch) return walk;
  walk.values = static_cast<std::ptrdiff_t>(page_part_bytes(layout));
  if ((page + 1) * kPagePositions < end) {
    walk.keys = page_keys(*task.cache, task.pages[page + 1], task.kv_head) - keys;
  }
  return walk;
}

/// Raw scores of all slots of the pages that hold [begin, end).
template <int kQ>
void score_pages(const AttendTask& task, const Query* queries, std::size_t begin, std::size_t end,
                 Scores* scores) {
  const std::size_t dims = task.cache->layout.head_dim;
  const float* q[kQ];
  for (int i = 0; i < kQ; ++i) q[i] = queries[i].q;
  for (std::size_t page = begin / kPagePositions; page * kPagePositions < end; ++page) {
    Walk walk = keys_of(task, page, end);
    float* to[kQ];
    for (int i = 0; i < kQ; ++i) to[i] = scores[i] + page * kPagePositions % kChunkSlots;
    constexpr int kVectors = score_vectors(kQ);
    constexpr std::size_t kStep = std::size_t{kLanes} * kVectors;
    for (std::size_t first = 0; first < kPagePositions; first += kStep) {
      score_slots<kQ, kVectors>(walk, dims, q, to);
      walk.at += 4 * kStep;
      walk.values = 0;
      for (int i = 0; i < kQ; ++i) to[i] += kStep;
    }
  }
}

/// The values of slots at one head's part of their page.
struct Values {
  const AttendTask& task;
  std::size_t part = 0;

  explicit Values(const AttendTask& t) : task(t), part(page_part_bytes(t.cache->layout)) {}
  /// Where the pair of slots that `slot` is in stands.
  const std::byte* pair(std::size_t slot) const {
    const std::uint32_t page = task.pages[slot / kPagePositions];
    return page_keys(*task.cache, page, task.kv_head) + part +
           slot % kPagePositions / 2 * 4 * even_dim(task.cache->layout);
  }
};

/// out += p * values for kVectors * kLanes dimensions from d on, by ascending slot.
template <int kQ, int kVectors>
void add_values(const Values& values, std::size_t d, Slots slots, const float* const (&p)[kQ],
                float* const (&out)[kQ]) {
  float* to[kQ];
  const float* from[kQ];
  unrolled<0, kQ>([&](auto i) CAIRN_INLINE { from[i] = to[i] = out[i] + d; });
  Sums<kQ, kVectors> sums;
  load(from, sums);
  const std::size_t stride = 4 * even_dim(values.task.cache->layout);
  for (std::size_t slot = slots.begin; slot < slots.end;) {
    const std::size_t end = std::min(slots.end, (slot / kPagePositions + 1) * kPagePositions);
    const std::byte* at = values.pair(slot) + 4 * d;
    const float* factors[kQ];
    unrolled<0, kQ>([&](auto i) CAIRN_INLINE { factors[i] = p[i] + slot % kChunkSlots; });
    if (slot % 2 != 0) {
      add_single<true>(at, factors, sums);
      unrolled<0, kQ>([&](auto i) CAIRN_INLINE { ++factors[i]; });
      at += stride;
      ++slot;
    }
    Walk walk = {.at = at, .stride = stride, .count = (end - slot) / 2};
    add_pairs(walk, factors, sums);
    if ((end - slot) % 2 != 0) add_single<false>(walk.at, factors, sums);
    slot = end;
  }
  store(sums, to);
}

/// The dimensions that fill no vector.
void add_last_dims(const Values& values, std::size_t d, Slots slots, const float* p, float* out) {
  for (; d < values.task.cache->layout.head_dim; ++d) {
    for (std::size_t slot = slots.begin; slot < slots.end; ++slot) {
      const float value = load_cached(CacheType::kBf16, values.pair(slot), 2 * d + slot % 2);
      out[d] = __builtin_fmaf(value, p[slot % kChunkSlots], out[d]);
    }
  }
}

/// What attend.cpp asks of a cache type.
struct Bf16Cache {
  static constexpr std::size_t kValueDims = ~std::size_t{0};

  template <int kQ>
  static void score(const AttendTask& task, const Query* queries, Slots slots, Scores* scores) {
    score_pages<kQ>(task, queries, slots.begin, slots.end, scores);
  }
  template <int kQ, int kVectors>
  static void add(const AttendTask& task, std::size_t d, Slots slots, const float* const (&p)[kQ],
                  float* const (&out)[kQ]) {
    add_values<kQ, kVectors>(Values(task), d, slots, p, out);
  }
  static void add_last(const AttendTask& task, std::size_t d, Slots slots, const float* p,
                       float* out) {
    add_last_dims(Values(task), d, slots, p, out);
  }
};

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
