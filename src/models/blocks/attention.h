// Attention over paged keys and values.
#pragma once

#include <cstddef>

#include "models/blocks/block.h"
#include "models/blocks/residual.h"

namespace cairn::models {

/// Grouped-query attention, optionally windowed, soft-capped and with normed queries and keys.
/// Source: Ainslie et al. 2023, arXiv 2305.13245, section 2.2; Beltagy et al. 2020, arXiv
/// 2004.05150, section 3.1 (window).
class Attention final : public Block {
 public:
  struct Options {
    std::size_t heads = 0;
    std::size_t cache_slot = 0;
    CacheSpec cache = {};
    float scale = 0;
    float soft_cap = 0;  // 0: none
    kernels::Rope rope = {};
    kernels::Norm norm = {};
    kernels::HeadNorms head_norms = kernels::HeadNorms::kEach;
    kernels::Norm q_norm = {};  // weight nullptr: none
    kernels::Norm k_norm = {};
    const kernels::PackedMatrix* qkv = nullptr;  // [(heads + 2 kv_heads) head_dim, width]
    const float* qkv_bias = nullptr;
    ResidualOutput out = {};
  };

  explicit Attention(const Options& options) : options_(options) {}

  void forward(const Step& step, kernels::Ops& ops) const override;
  std::optional<CacheSpec> cache() const override { return options_.cache; }

 private:
  Options options_;
};

}  // namespace cairn::models
