// One query head over cached keys and values, in chunks at absolute multiples of 256 slots.
// Per chunk: its maximum m, p = exp(s - m), the sum of p by lane of slot mod 16, values added by
// ascending slot. Chunks are merged ascending: with M the larger maximum, both sides are scaled by
// exp(their maximum - M) and added. Source: Milakov and Gimelshein 2018, arXiv 1805.02867.
#include <algorithm>
#include <limits>

#include "kernels/cpu/pages.h"
#include "kernels/cpu/portable/fma_lanes.h"
#include "kernels/cpu/portable/lanes.h"
#include "kernels/cpu/portable/portable.h"

namespace cairn::kernels::portable {
namespace {

constexpr std::size_t kChunk = 256;

/// The running softmax of one head.
struct Partial {
  float maximum = 0;
  float sum = 0;
};

/// Both elements of a pair, as f32.
template <CacheType kType>
float pair_element(const std::byte* base, std::size_t index) {
  return load_cached(kType, base, index);
}

/// Dot products of q with the 32 keys of a page: a chain over ascending dimensions each.
template <CacheType kType>
void page_scores(const HeadTask& task, const std::byte* keys, float* scores) {
  for (std::size_t i = 0; i < kPagePositions; ++i) scores[i] = 0;
  for (std::size_t d = 0; d < task.cache->layout.head_dim; ++d) {
    float key[kPagePositions];
    for (std::size_t i = 0; i < kPagePositions; ++i) {
      key[i] = pair_element<kType>(keys, key_index(d, 0) + 2 * i);
    }
    const float q = task.q[d];
    fma_lanes<kPagePositions>(
        scores, [&key](std::size_t i) { return key[i]; }, [q](std::size_t) { return q; });
  }
}

/// chunk_out += p * values of one slot.
template <CacheType kType>
void add_value(const HeadTask& task, const std::byte* values, std::size_t slot, float p) {
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
        task.chunk_out + d, [&value](std::size_t i) { return value[i]; },
        [p](std::size_t) { return p; });
  }
  for (; d < dims; ++d) {
    const float value = pair_element<kType>(values, first + 2 * d);
    task.chunk_out[d] = math::fma32(value, p, task.chunk_out[d]);
  }
}

struct SlotRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// scores[slot mod 256] of the range, scaled and capped; returns the largest.
template <CacheType kType>
float chunk_scores(const HeadTask& task, SlotRange slots, float* scores) {
  float largest = -std::numeric_limits<float>::infinity();
  for (std::size_t page = slots.begin / kPagePositions; page * kPagePositions < slots.end; ++page) {
    float raw[kPagePositions];
    page_scores<kType>(task, page_keys(*task.cache, task.pages[page], task.kv_head), raw);
    const std::size_t first = std::max(slots.begin, page * kPagePositions);
    const std::size_t end = std::min(slots.end, (page + 1) * kPagePositions);
    for (std::size_t slot = first; slot < end; ++slot) {
      float score = task.scale * raw[slot % kPagePositions];
      if (task.soft_cap > 0) score = soft_cap(score, task.soft_cap);
      scores[slot % kChunk] = score;
      largest = score > largest ? score : largest;
    }
  }
  return largest;
}

template <CacheType kType>
Partial attend_chunk(const HeadTask& task, SlotRange slots) {
  float scores[kChunk];
  const float maximum = chunk_scores<kType>(task, slots, scores);
  float lanes[kLanes] = {};
  const std::size_t dims = task.cache->layout.head_dim;
  std::fill_n(task.chunk_out, dims, 0.0F);
  const std::size_t part = page_part_bytes(task.cache->layout);
  for (std::size_t slot = slots.begin; slot < slots.end; ++slot) {
    const float p = math::exp(scores[slot % kChunk] - maximum);
    lanes[slot % kLanes] = lanes[slot % kLanes] + p;
    const std::uint32_t page = task.pages[slot / kPagePositions];
    add_value<kType>(task, page_keys(*task.cache, page, task.kv_head) + part, slot, p);
  }
  return {maximum, merge_lanes(lanes)};
}

/// Adds the chunk in chunk_out to the head in out.
void merge(const HeadTask& task, const Partial& chunk, Partial& head) {
  const float maximum = chunk.maximum > head.maximum ? chunk.maximum : head.maximum;
  const float old_scale = math::exp(head.maximum - maximum);
  const float new_scale = math::exp(chunk.maximum - maximum);
  head.maximum = maximum;
  head.sum = head.sum * old_scale + chunk.sum * new_scale;
  for (std::size_t d = 0; d < task.cache->layout.head_dim; ++d) {
    task.out[d] = task.out[d] * old_scale + task.chunk_out[d] * new_scale;
  }
}

template <CacheType kType>
void attend_typed(const HeadTask& task) {
  const std::size_t dims = task.cache->layout.head_dim;
  Partial head;
  bool first = true;
  for (std::size_t at = task.first; at <= task.last;) {
    const std::size_t end = std::min((at / kChunk + 1) * kChunk, task.last + 1);
    const Partial chunk = attend_chunk<kType>(task, {at, end});
    if (first) {
      head = chunk;
      std::copy_n(task.chunk_out, dims, task.out);
    } else {
      merge(task, chunk, head);
    }
    first = false;
    at = end;
  }
  for (std::size_t d = 0; d < dims; ++d) task.out[d] = task.out[d] / head.sum;
}

}  // namespace

void attend(const HeadTask& task) {
  if (task.cache->layout.type == CacheType::kBf16) {
    attend_typed<CacheType::kBf16>(task);
  } else {
    attend_typed<CacheType::kF32>(task);
  }
}

}  // namespace cairn::kernels::portable
