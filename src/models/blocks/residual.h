// How a block's result joins the residual stream.
#pragma once

#include "kernels/device.h"
#include "models/step.h"

namespace cairn::models {

/// When a block's result joins: parallel blocks of a layer read the same x.
enum class Joins : unsigned char {
  kAdd,      // at once
  kKeep,     // it waits in Scratch::branch for the next block
  kAddBoth,  // at once, and behind it what waits
};

/// The last projection of a block and, for some, a norm or a scale of its result.
struct ResidualOutput {
  const kernels::PackedMatrix* weight = nullptr;
  const float* bias = nullptr;
  kernels::Norm post_norm = {};  // weight nullptr: none
  float scale = 1;
  Joins joins = Joins::kAdd;
};

/// x += post_norm(scale * (weight · y + bias)). Shapes: y [t, k]; weight [width, k].
void add_to_residual(const ResidualOutput& output, ConstMatrix y, const Step& step,
                     kernels::Ops& ops);

}  // namespace cairn::models
