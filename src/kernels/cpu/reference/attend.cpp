// Attention of one head in one pass with f64 sums: scores relative to the running maximum.
#include <algorithm>
#include <limits>

#include "base/math.h"
#include "kernels/cpu/pages.h"
#include "kernels/cpu/reference/reference.h"

namespace cairn::kernels::reference {
namespace {

double score(const HeadTask& task, std::size_t slot) {
  const KvLayout& layout = task.cache->layout;
  const std::byte* keys = page_keys(*task.cache, task.pages[slot / kPagePositions], task.kv_head);
  double sum = 0;
  for (std::size_t d = 0; d < layout.head_dim; ++d) {
    sum += static_cast<double>(task.q[d]) *
           static_cast<double>(load_cached(layout.type, keys, key_index(d, slot)));
  }
  sum *= static_cast<double>(task.scale);
  if (task.soft_cap > 0)
    sum = static_cast<double>(soft_cap(static_cast<float>(sum), task.soft_cap));
  return sum;
}

/// wide_out[d] = wide_out[d] * shrink + p * value[d].
void add_value(const HeadTask& task, std::size_t slot, double p, double shrink) {
  const KvLayout& layout = task.cache->layout;
  const std::byte* base = page_keys(*task.cache, task.pages[slot / kPagePositions], task.kv_head) +
                          page_part_bytes(layout);
  for (std::size_t d = 0; d < layout.head_dim; ++d) {
    const float value = load_cached(layout.type, base, value_index(layout, d, slot));
    task.wide_out[d] = task.wide_out[d] * shrink + p * static_cast<double>(value);
  }
}

}  // namespace

void attend(const HeadTask& task) {
  const std::size_t dims = task.cache->layout.head_dim;
  std::fill_n(task.wide_out, dims, 0.0);
  double maximum = -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t slot = task.first; slot <= task.last; ++slot) {
    const double s = score(task, slot);
    const double larger = s > maximum ? s : maximum;
    const double shrink = slot == task.first ? 0 : math::exp64(maximum - larger);
    const double p = math::exp64(s - larger);
    add_value(task, slot, p, shrink);
    sum = sum * shrink + p;
    maximum = larger;
  }
  for (std::size_t d = 0; d < dims; ++d) {
    task.out[d] = static_cast<float>(task.wide_out[d] / sum);
  }
}

}  // namespace cairn::kernels::reference
