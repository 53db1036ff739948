// x += out(attend(rotate(q), rotate(k), v)) with q, k, v = qkv · norm(x).
#include "models/blocks/attention.h"

namespace cairn::models {

// t = rows of the step, d = width, h = heads, g = kv heads, e = head dimension.
void Attention::forward(const Step& step, kernels::Ops& ops) const {
  const kernels::KvLayout& layout = options_.cache.layout;
  const std::size_t rows = step.rows.size();
  const std::size_t q_cols = options_.heads * layout.head_dim;
  const Matrix qkv = step.scratch->qkv(rows, q_cols + 2 * layout.kv_heads * layout.head_dim);
  const Matrix attended = step.scratch->attended(rows, q_cols);
  ops.project({.x = step.scratch->x(rows),  // [t, d]
               .norm = options_.norm,
               .weight = options_.qkv,
               .bias = options_.qkv_bias,
               .out = qkv});  // [t, (h + 2g) e]
  ops.attend({.rows = step.rows,
              .qkv = qkv,
              .heads = options_.heads,
              .scale = options_.scale,
              .window = options_.cache.window,
              .soft_cap = options_.soft_cap,
              .head_norms = options_.head_norms,
              .q_norm = options_.q_norm,
              .k_norm = options_.k_norm,
              .rope = options_.rope,
              .cache = step.caches[options_.cache_slot],
              .out = attended});  // [t, h e]
  add_to_residual(options_.out, attended, step, ops);
}

}  // namespace cairn::models
