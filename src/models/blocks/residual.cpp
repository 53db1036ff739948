#include "models/blocks/residual.h"

namespace cairn::models {

void add_to_residual(const ResidualOutput& output, ConstMatrix y, const Step& step,
                     kernels::Ops& ops) {
  const bool normed = output.post_norm.weight != nullptr;
  const Matrix x = step.scratch->x(step.rows.size());
  const Matrix out = normed ? step.scratch->branch(step.rows.size()) : x;
  ops.project({.x = y,
               .weight = output.weight,
               .bias = output.bias,
               .scale = output.scale,
               .epilogue = normed ? kernels::Epilogue::kStore : kernels::Epilogue::kAddTo,
               .out = out});
  if (normed) ops.add_normed({.y = out, .norm = output.post_norm, .x = x});
}

}  // namespace cairn::models
