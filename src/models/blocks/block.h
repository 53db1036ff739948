// Block: a part of a layer that has its own forward.
//
// Purpose     what decoders are composed of; a family picks blocks and their options.
// Invariants  a forward is a list of ops; it holds no number type, device, thread or family; it
//             reads and writes the residual stream Scratch::x and may use all other scratch.
// Threads     immutable; every worker of the team runs forward at once.
// Adding      its files here, its spec in decoder_spec.h, its case in model_builder.cpp.
#pragma once

#include <optional>

#include "kernels/device.h"
#include "models/cache_spec.h"
#include "models/step.h"

namespace cairn::models {

class Block {
 public:
  virtual ~Block() = default;

  /// x += block(x) for all rows of the step.
  virtual void forward(const Step& step, kernels::Ops& ops) const = 0;

  /// What it keeps of a sequence between steps.
  virtual std::optional<CacheSpec> cache() const { return std::nullopt; }
};

}  // namespace cairn::models
