// The plain feed-forward.
#pragma once

#include <cstddef>

#include "models/blocks/block.h"
#include "models/blocks/residual.h"

namespace cairn::models {

/// Source: Vaswani et al. 2017, arXiv 1706.03762, section 3.3.
class Mlp final : public Block {
 public:
  struct Options {
    std::size_t hidden = 0;
    kernels::Activation activation = kernels::Activation::kGeluTanh;
    kernels::Norm norm = {};
    const kernels::PackedMatrix* up = nullptr;  // [hidden, width]
    const float* up_bias = nullptr;
    ResidualOutput down = {};
  };

  explicit Mlp(const Options& options) : options_(options) {}

  void forward(const Step& step, kernels::Ops& ops) const override;

 private:
  Options options_;
};

}  // namespace cairn::models
