// Attention of one head in one pass with f64 sums: scores relative to the running maximum.
#include <algorithm>
#include <limits>

#include "base/math.h"
#include "kernels/cpu/pages.h"
#include "kernels/cpu/reference/reference.h"

namespace cairn::kernels::reference {
namespace {

double score(const AttendTask& task, const float* q, std::size_t slot) {
  const KvLayout& layout = task.cache->layout;
  const std::byte* keys = page_keys(*task.cache, task.pages[slot / kPagePositions], task.kv_head);
  double sum = 0;
  for (std::size_t d = 0; d < layout.head_dim; ++d) {
    sum += static_cast<double>(q[d]) * static_cast<double>(cached_key(layout, keys, d, slot));
  }
  sum *= static_cast<double>(task.scale);
  if (task.soft_cap > 0)
    sum = static_cast<double>(soft_cap(static_cast<float>(sum), task.soft_cap));
  return sum;
}

/// wide[d] = wide[d] * shrink + p * value[d].
void add_value(const AttendTask& task, std::size_t slot, double p, double shrink) {
  const KvLayout& layout = task.cache->layout;
  const std::byte* base = page_keys(*task.cache, task.pages[slot / kPagePositions], task.kv_head) +
                          page_part_bytes(layout);
  for (std::size_t d = 0; d < layout.head_dim; ++d) {
    const float value = cached_value(layout, base, d, slot);
    task.wide[d] = task.wide[d] * shrink + p * static_cast<double>(value);
  }
}

void attend_query(const AttendTask& task, Query& query) {
  const std::size_t dims = task.cache->layout.head_dim;
  std::fill_n(task.wide, dims, 0.0);
  double maximum = -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t slot = query.begin; slot < query.end; ++slot) {
    const double s = score(task, query.q, slot);
    const double larger = s > maximum ? s : maximum;
    const double shrink = slot == query.begin ? 0 : math::exp64(maximum - larger);
    const double p = math::exp64(s - larger);
    add_value(task, slot, p, shrink);
    sum = sum * shrink + p;
    maximum = larger;
  }
  query.maximum = 0;
  query.sum = 1;  // divided here already
  for (std::size_t d = 0; d < dims; ++d) query.values[d] = static_cast<float>(task.wide[d] / sum);
}

}  // namespace

void attend(const AttendTask& task) {
  for (Query& query : task.queries) {
    if (query.begin < query.end) attend_query(task, query);
  }
}

}  // namespace cairn::kernels::reference
