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

/// What is kept of one dimension of a page's 32 keys, as f32.
template <CacheType kType>
void load_keys(const std::byte* keys, std::size_t d, float* out) {
  for (std::size_t i = 0; i < kPagePositions; ++i) {
    if constexpr (kType == CacheType::kInt8) {
      out[i] = static_cast<float>(int8_keys(keys, d)[i]);
    } else {
      out[i] = load_cached(kType, keys, key_index(d, 0) + 2 * i);
    }
  }
}

/// What is kept of `count` dimensions of a slot's value, from `d` on, as f32.
template <CacheType kType>
void load_value(const KvLayout& layout, const std::byte* values, std::size_t slot, std::size_t d,
                std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    if constexpr (kType == CacheType::kInt8) {
      out[i] = static_cast<float>(int8_values(layout, values, slot)[d + i]);
    } else {
      out[i] = load_cached(kType, values, value_index(layout, 0, slot) + 2 * (d + i));
    }
  }
}

/// Dot products of q with the 32 keys of a page: a chain over ascending dimensions each, then the
/// key's scale.
template <CacheType kType>
void page_scores(const AttendTask& task, const float* query, const std::byte* keys, float* scores) {
  for (std::size_t i = 0; i < kPagePositions; ++i) scores[i] = 0;
  for (std::size_t d = 0; d < task.cache->layout.head_dim; ++d) {
    float key[kPagePositions];
    load_keys<kType>(keys, d, key);
    const float q = query[d];
    fma_lanes<kPagePositions>(
        scores, [&key](std::size_t i) { return key[i]; }, [q](std::size_t) { return q; });
  }
  if constexpr (kType == CacheType::kInt8) {
    const float* scales = int8_scales(task.cache->layout, keys);
    for (std::size_t i = 0; i < kPagePositions; ++i) scores[i] = scores[i] * scales[i];
  }
}

/// out += (p times the value's scale) * values of one slot.
template <CacheType kType>
void add_value(const KvLayout& layout, const std::byte* values, std::size_t slot, float p,
               float* out) {
  constexpr std::size_t kStep = 16;
  if constexpr (kType == CacheType::kInt8) {
    p = p * int8_scales(layout, values)[slot % kPagePositions];
  }
  float value[kStep];
  std::size_t d = 0;
  for (; d + kStep <= layout.head_dim; d += kStep) {
    load_value<kType>(layout, values, slot, d, value);
    fma_lanes<kStep>(
        out + d, [&value](std::size_t i) { return value[i]; }, [p](std::size_t) { return p; });
  }
  for (; d < layout.head_dim; ++d) {
    load_value<kType>(layout, values, slot, d, std::span(value).first(1));
    out[d] = math::fma32(value[0], p, out[d]);
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
    add_value<kType>(task.cache->layout, values, slot, p, query.values);
  }
  query.sum = merge_lanes(lanes);
}

}  // namespace

void attend(const AttendTask& task) {
  for (Query& query : task.queries) {
    if (query.begin >= query.end) continue;
    switch (task.cache->layout.type) {
      case CacheType::kBf16:
        attend_query<CacheType::kBf16>(task, query);
        break;
      case CacheType::kF32:
        attend_query<CacheType::kF32>(task, query);
        break;
      case CacheType::kInt8:
        attend_query<CacheType::kInt8>(task, query);
        break;
    }
  }
}

}  // namespace cairn::kernels::portable
