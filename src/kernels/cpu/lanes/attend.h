// attend: query heads over cached keys and values of one chunk. Up to kSharedQueries queries share
// what is loaded; where their ranges differ, the slots that not all of them see go one by one.
//
// Purpose     the kernels of attention and of activations, written once over the names of a tier's
//             lanes.h: a vector is kLanes floats.
// Invariants  included after the tier's lanes.h, which names the tier as rows16/ has it and says
//             how many queries and vectors its registers hold. All here has internal linkage.
// Threads     pure functions.
// Adding      a cache type: its struct beside Bf16Cache and its case in attend_pages.
#pragma once

#include <algorithm>

#include "kernels/cpu/lanes/attend_bf16.h"
#include "kernels/cpu/lanes/attend_int8.h"
#include "kernels/cpu/portable/portable.h"

CAIRN_TIER_BEGIN
namespace cairn::kernels::CAIRN_TIER {
namespace {

/// out += p * values for all dimensions; nothing where there is no slot.
template <class Cache, int kQ>
void add_values(const AttendTask& task, Slots slots, const Scores* scores, const Query* queries) {
  if (slots.begin >= slots.end) return;
  const std::size_t dims = task.cache->layout.head_dim;
  const float* p[kQ];
  float* out[kQ];
  for (int i = 0; i < kQ; ++i) p[i] = scores[i];
  for (int i = 0; i < kQ; ++i) out[i] = queries[i].values;
  constexpr std::size_t kStep =
      std::min(Cache::kValueDims, std::size_t{kLanes} * value_vectors(kQ));
  constexpr int kVectors = int{kStep / kLanes};
  std::size_t d = 0;
  for (; d + kStep <= dims; d += kStep) Cache::template add<kQ, kVectors>(task, d, slots, p, out);
  for (; d + kLanes <= dims; d += kLanes) Cache::template add<kQ, 1>(task, d, slots, p, out);
  for (int i = 0; i < kQ; ++i) Cache::add_last(task, d, slots, p[i], out[i]);
}

/// kQ queries whose ranges are not empty.
template <class Cache, int kQ>
void attend_queries(const AttendTask& task, Query* queries) {
  Scores scores[kQ];
  std::size_t first = queries[0].begin;
  std::size_t last = queries[0].end;
  std::size_t common_begin = first;
  std::size_t common_end = last;
  for (int i = 1; i < kQ; ++i) {
    first = std::min(first, queries[i].begin);
    last = std::max(last, queries[i].end);
    common_begin = std::max(common_begin, queries[i].begin);
    common_end = std::min(common_end, queries[i].end);
  }
  common_end = std::max(common_begin, common_end);
  Cache::template score<kQ>(task, queries, {first, last}, scores);
  for (int i = 0; i < kQ; ++i) {
    soften(task, queries[i], scores[i]);
    std::fill_n(queries[i].values, task.cache->layout.head_dim, 0.0F);
    const std::size_t end = std::min(common_begin, queries[i].end);
    add_values<Cache, 1>(task, {queries[i].begin, end}, scores + i, queries + i);
  }
  add_values<Cache, kQ>(task, {common_begin, common_end}, scores, queries);
  for (int i = 0; i < kQ; ++i) {
    const std::size_t begin = std::max(common_end, queries[i].begin);
    add_values<Cache, 1>(task, {begin, queries[i].end}, scores + i, queries + i);
  }
}

/// `count` queries, kQ at the most.
template <class Cache, int kQ>
void attend_count(const AttendTask& task, Query* queries, std::size_t count) {
  if (count == std::size_t{kQ}) return attend_queries<Cache, kQ>(task, queries);
  if constexpr (kQ > 1) attend_count<Cache, kQ - 1>(task, queries, count);
}

/// All queries of a task over one type of cache.
template <class Cache>
void attend_all(const AttendTask& task) {
  for (std::size_t i = 0; i < task.queries.size();) {
    Query* queries = task.queries.data() + i;
    std::size_t count = 0;
    while (count < std::size_t{kSharedQueries} && i + count < task.queries.size() &&
           queries[count].begin < queries[count].end) {
      ++count;
    }
    i += std::max<std::size_t>(count, 1);
    if (count > 0) attend_count<Cache, kSharedQueries>(task, queries, count);
  }
}

/// Its contract is Kernels::attend's.
void attend_pages(const AttendTask& task) {
  switch (task.cache->layout.type) {
    case CacheType::kBf16:
      return attend_all<Bf16Cache>(task);
    case CacheType::kInt8:
      return attend_all<Int8Cache>(task);
    case CacheType::kF32:
      return portable::attend(task);
  }
}

}  // namespace
}  // namespace cairn::kernels::CAIRN_TIER
CAIRN_TIER_END
