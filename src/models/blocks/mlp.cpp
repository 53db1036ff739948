// x += down(act(up(norm(x)))).
#include "models/blocks/mlp.h"

namespace cairn::models {

// t = rows of the step, d = width, f = feed-forward width.
void Mlp::forward(const Step& step, kernels::Ops& ops) const {
  const std::size_t rows = step.rows.size();
  const Matrix hidden = step.scratch->hidden(rows, options_.hidden);
  ops.project({.x = step.scratch->x(rows),  // [t, d]
               .norm = options_.norm,
               .weight = options_.up,  // [f, d]
               .bias = options_.up_bias,
               .epilogue = kernels::Epilogue::kActivate,
               .activation = options_.activation,
               .out = hidden});  // [t, f]
  add_to_residual(options_.down, hidden, step, ops);
}

}  // namespace cairn::models
