// x += down(act(gate(norm(x))) * up(norm(x))).
#include "models/blocks/gated_mlp.h"

namespace cairn::models {

// t = rows of the step, d = width, f = feed-forward width.
void GatedMlp::forward(const Step& step, kernels::Ops& ops) const {
  const std::size_t rows = step.rows.size();
  const Matrix hidden = step.scratch->hidden(rows, options_.hidden);
  ops.project({.x = step.scratch->x(rows),  // [t, d]
               .norm = options_.norm,
               .weight = options_.gate_up,  // [2f, d]
               .bias = options_.gate_up_bias,
               .epilogue = kernels::Epilogue::kGate,
               .activation = options_.activation,
               .out = hidden});  // [t, f]
  add_to_residual(options_.down, hidden, step, ops);
}

}  // namespace cairn::models
