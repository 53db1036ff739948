// The gated feed-forward.
#pragma once

#include <cstddef>

#include "models/blocks/block.h"
#include "models/blocks/residual.h"

namespace cairn::models {

/// Source: Shazeer 2020, arXiv 2002.05202, section 2.
class GatedMlp final : public Block {
 public:
  struct Options {
    std::size_t hidden = 0;
    kernels::Activation activation = kernels::Activation::kSilu;
    kernels::Norm norm = {};
    const kernels::PackedMatrix* gate_up = nullptr;  // [2 hidden, width]
    const float* gate_up_bias = nullptr;
    ResidualOutput down = {};
  };

  explicit GatedMlp(const Options& options) : options_(options) {}

  void forward(const Step& step, kernels::Ops& ops) const override;

 private:
  Options options_;
};

}  // namespace cairn::models
