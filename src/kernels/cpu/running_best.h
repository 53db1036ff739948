// RunningBest: the two best of a row's logits while they are computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/cpu/pack/tile.h"
#include "kernels/ops.h"

namespace cairn::kernels {

/// Takes logits by groups of up to 16, ids ascending. Sixteen lanes run side by side, each with its
/// own two best, so that the compiler makes vectors of them; finish() merges the lanes.
class RunningBest {
 public:
  RunningBest();

  /// Logits of the ids `first`, `first` + 1, ...; at most kGroupRows.
  void add(std::span<const float> logits, std::size_t first);

  BestTwo finish() const;

 private:
  float first_[kGroupRows];
  float second_[kGroupRows];
  float spoilt_[kGroupRows];  // 0 until a logit is not finite, then NaN
  TokenId id_[kGroupRows];
};

/// The two best of two parts of a row, the ids of `low` being below those of `high`.
BestTwo merged(const BestTwo& low, const BestTwo& high);

}  // namespace cairn::kernels
