// Query heads over cached keys and values of one chunk: its maximum m, p = exp(s - m), the sum of p
// by lane of slot mod 16, values added by ascending slot.
#include <algorithm>
#include <limits>

#include "base/math_fused.h"
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

/// sums [32] += dimensions [begin, end) of q times those of the 32 keys of a page, a chain each.
template <CacheType kType>
void add_dots(const float* query, const std::byte* keys, std::size_t begin, std::size_t end,
              float* sums) {
  for (std::size_t d = begin; d < end; ++d) {
    float key[kPagePositions];
    load_keys<kType>(keys, d, key);
    const float q = query[d];
    fma_lanes<kPagePositions>(
        sums, [&key](std::size_t i) { return key[i]; }, [q](std::size_t) { return q; });
  }
}

/// Dot products of q with the 32 keys of a page: in int8 a chain of blocks times their scales.
template <CacheType kType>
void page_scores(const AttendTask& task, const float* query, const std::byte* keys, float* scores) {
  for (std::size_t i = 0; i < kPagePositions; ++i) scores[i] = 0;
  const KvLayout& layout = task.cache->layout;
  if constexpr (kType != CacheType::kInt8) {
    return add_dots<kType>(query, keys, 0, layout.head_dim, scores);
  }
  for (std::size_t block = 0; block < int8_blocks(layout); ++block) {
    float dots[kPagePositions] = {};
    const std::size_t begin = block * kInt8Dims;
    add_dots<kType>(query, keys, begin, std::min(begin + kInt8Dims, layout.head_dim), dots);
    const float* scales = int8_scales(layout, keys, block);
    fma_lanes<kPagePositions>(
        scores, [&dots](std::size_t i) { return dots[i]; },
        [scales](std::size_t i) { return scales[i]; });
  }
}

/// out += (p times the scale of the dimension's block) * values of one slot.
template <CacheType kType>
void add_value(const KvLayout& layout, const std::byte* values, std::size_t slot, float p,
               float* out) {
  constexpr std::size_t kStep = 16;
  const auto weight = [&](std::size_t dim) {
    if constexpr (kType != CacheType::kInt8) return p;
    return p * int8_scales(layout, values, dim / kInt8Dims)[slot % kPagePositions];
  };
  float value[kStep];
  std::size_t d = 0;
  for (; d + kStep <= layout.head_dim; d += kStep) {
    load_value<kType>(layout, values, slot, d, value);
    const float factor = weight(d);
    fma_lanes<kStep>(
        out + d, [&value](std::size_t i) { return value[i]; },
        [factor](std::size_t) { return factor; });
  }
  for (; d < layout.head_dim; ++d) {
    load_value<kType>(layout, values, slot, d, std::span(value).first(1));
    out[d] = math::fma32(value[0], weight(d), out[d]);
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
    const float p = math::fused_exp(scores[slot % kChunkSlots] - query.maximum);
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
