// Mirostat: keeps the surprise of the answer's tokens near a target.
// Source: Basu et al. 2020, arXiv 2007.14966, algorithms 1 and 2; which probability the surprise is
// read from (the one after the cut) and the 100 tokens of the estimate: llama.cpp's samplers.
#pragma once

#include <cstddef>

#include "engine/sampling/draft.h"
#include "engine/sampling/params.h"

namespace cairn::engine {

class Mirostat {
 public:
  Mirostat(const SamplingParams& params, std::size_t vocabulary);

  bool active() const { return version_ != 0; }
  /// Decides how many of the best stay. Version 2: those of surprise at most mu, at least one.
  /// Version 1: k from mu and an estimate of the distribution's Zipf exponent.
  void cut(Draft& draft);
  /// Learns from the chosen token, which had this probability after the cut.
  void learn(double probability);

  /// The largest surprise that is let through, in bits; begins at 2 tau.
  double mu() const { return mu_; }

 private:
  void cut_by_estimate(Draft& draft);
  void cut_by_surprise(Draft& draft);

  std::int64_t version_ = 0;
  double tau_ = 0;
  double eta_ = 0;
  double mu_ = 0;
  double vocabulary_ = 0;
};

}  // namespace cairn::engine
