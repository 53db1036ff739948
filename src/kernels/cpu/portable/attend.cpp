// Query heads over cached keys and values of one chunk: its maximum m, p = exp(s - m), the sum of p
// by lane of slot mod 16, values added by ascending slot.
#include <algorithm>
#include <limits>

#include "kernels/cpu/pages.h"
#include "kernels/cpu/portable/fma_lanes.h"
#include "kernels/cpu/portable/lanes.h"
#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {
namespace {

/// Both elements of a pair, as f32.
template <CacheType kType>
float pair_element(const std::byte* base, std::size_t index) {
  return load_cached(kType, base, index);
}

/// Dot products of q with the 32 keys of a page: a chain over ascending dimensions each.
template <CacheType kType>
void page_scores(const AttendTask& task, const float* query, const std::byte* keys, float* scores) {
  for (std::size_t i = 0; i < kPagePositions; ++i) scores[i] = 0;
  for (std::size_t d = 0; d < task.cache->layout.head_dim; ++d) {
    float key[kPagePositions];
    for (std::size_t i = 0; i < kPagePositions; ++i) {
      key[i] = pair_element<kType>(keys, key_index(d, 0) + 2 * i);
    }
    const float q = query[d];
    fma_lanes<kPagePositions>(
        scores, [&key](std::size_t i) { return key[i]; }, [q](std::size_t) { return q; });
  }
}

/// out += p * values of one slot.
template <CacheType kType>
void add_value(const AttendTask& task, const std::byte* values, std::size_t slot, float p,
               float* out) {
  constexpr std::size_t kStep = 16;
  const std::size_t dims = task.cache->layout.head_dim;
  const std::size_t first = value_index(task.cache->layout, 0, slot);
  std::size_t d = 0;
  for (; d + kStep <= dims; d += kStep) {
    float value[kStep];
    for (std::size_t i = 0; i < kStep; ++i) {
      value[i] = pair_element<kType>(values, first + 2 * (d + i));
    }
    fma_lanes<kStep>(
        out + d, [&value](std::size_t i) { return value[i]; }, [p](std::size_t) { return p; });
  }
  for (; d < dims; ++d) {
    const float value = pair_element<kType>(values, first + 2 * d);
    out[d] = math::fma32(value, p, out[d]);
  }
}

/// scores[slot mod 256] of the query's slots, scaled and capped; returns the largest.
template <CacheType kType>
float chunk_scores(const AttendTask& task, const Query& query, float* scores) {
  float largest = -std::numeric_limits<float>::infinity();
  for (std::size_t page = query.begin / kPagePositions; page * kPagePositions < query.end; ++page) {
    float raw[kPagePositions];
    const std::byte* keys = page_keys(*task.cache, task.pages[page], task.kv_head);
    page_scores<kType>(task, query.q, keys, raw);
    const std::size_t first = std::max(query.begin, page * kPagePositions);
    const std::size_t end = std::min(query.end, (page + 1) * kPagePositions);
    for (std::size_t slot = first; slot < end; ++slot) {
      float score = task.scale * raw[slot % kPagePositions];
      if (task.soft_cap > 0) score = soft_cap(score, task.soft_cap);
      scores[slot % kChunkSlots] = score;
      largest = score > largest ? score : largest;
    }
  }
  return largest;
}

template <CacheType kType>
void attend_query(const AttendTask& task, Query& query) {
  float scores[kChunkSlots];
  query.maximum = chunk_scores<kType>(task, query, scores);
  float lanes[kLanes] = {};
  std::fill_n(query.values, task.cache->layout.head_dim, 0.0F);
  const std::size_t part = page_part_bytes(task.cache->layout);
  for (std::size_t slot = query.begin; slot < query.end; ++slot) {
    const float p = math::exp(scores[slot % kChunkSlots] - query.maximum);
    lanes[slot % kLanes] = lanes[slot % kLanes] + p;
    const std::uint32_t page = task.pages[slot / kPagePositions];
    const std::byte* values = page_keys(*task.cache, page, task.kv_head) + part;
    add_value<kType>(task, values, slot, p, query.values);
  }
  query.sum = merge_lanes(lanes);
}

}  // namespace

void attend(const AttendTask& task) {
  for (Query& query : task.queries) {
    if (query.begin >= query.end) continue;
    if (task.cache->layout.type == CacheType::kBf16) {
      attend_query<CacheType::kBf16>(task, query);
    } else {
      attend_query<CacheType::kF32>(task, query);
    }
  }
}

}  // namespace cairn::kernels::portable
