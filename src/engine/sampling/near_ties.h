// NearTies: how close an answer's tokens were to being others.
#pragma once

#include <cstddef>
#include <limits>

namespace cairn::engine {

/// Of all tokens of one answer.
struct NearTies {
  /// Two best logits closer than this are counted. A tenth of what int8 activations move a logit
  /// by.
  static constexpr float kClose = 0.01F;
  float gap_min = std::numeric_limits<float>::infinity();  // of the two best, before truncation
  std::size_t close = 0;                                   // tokens with a gap below kClose
  std::size_t steered = 0;  // tokens where a ban, bias, penalty or truncation moved first place
};

}  // namespace cairn::engine
