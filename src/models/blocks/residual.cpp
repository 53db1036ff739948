#include "models/blocks/residual.h"

namespace cairn::models {

void add_to_residual(const ResidualOutput& output, ConstMatrix y, const Step& step,
                     kernels::Ops& ops) {
  const bool normed = output.post_norm.weight != nullptr;
  const bool aside = normed || output.joins == Joins::kKeep;
  const Matrix x = step.scratch->x(step.rows.size());
  const Matrix branch = step.scratch->branch(step.rows.size());
  ops.project({.x = y,
               .weight = output.weight,
               .bias = output.bias,
               .scale = output.scale,
               .epilogue = aside ? kernels::Epilogue::kStore : kernels::Epilogue::kAddTo,
               .out = aside ? branch : x});
  const bool waits = output.joins == Joins::kAddBoth;
  if (normed || waits) ops.add_normed({.y = branch, .norm = output.post_norm, .x = x});
}

}  // namespace cairn::models
