// Pooler: the hidden states of a prompt as one vector.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/request.h"

namespace cairn::engine {

/// Sums in f64 by ascending position, so that a vector does not depend on the chunks it came in.
class Pooler {
 public:
  /// Of a prompt of `length` ids.
  Pooler(Pooling how, std::size_t length) : how_(how), length_(length) {}

  /// Whether the state at `position` counts.
  bool wants(std::size_t position) const;
  /// Adds the state at a position that counts, in ascending order; the first of them begins anew,
  /// as a prompt that lost its pages does.
  void add(std::size_t position, std::span<const float> state);
  /// Whether every state that counts was added.
  bool complete() const { return count_ == wanted(); }
  /// The mean of what was added.
  std::vector<float> vector() const;

 private:
  std::size_t wanted() const { return how_ == Pooling::kMean ? length_ : 1; }
  std::size_t first() const { return how_ == Pooling::kLast ? length_ - 1 : 0; }

  Pooling how_;
  std::size_t length_;
  std::size_t count_ = 0;
  std::vector<double> sum_;
};

}  // namespace cairn::engine
