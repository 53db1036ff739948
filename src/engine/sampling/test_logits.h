// Logits for this room's tests, and what they mean.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace cairn::engine {

/// Logits from a seed, between -spread / 2 and spread / 2.
inline std::vector<float> planted(std::size_t vocabulary, std::uint64_t seed, double spread = 12) {
  std::vector<float> logits(vocabulary);
  for (std::size_t id = 0; id < vocabulary; ++id) {
    logits[id] = static_cast<float>(random_unit(seed, 0, id) * spread - spread / 2);
  }
  return logits;
}

/// Softmax in double precision by the C library: an independent reference.
inline std::vector<double> softmax(const std::vector<float>& logits, double temperature) {
  std::vector<double> p(logits.size());
  const double top = *std::ranges::max_element(logits);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = std::exp((logits[i] - top) / temperature);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& each : p) each /= sum;
  return p;
}

}  // namespace cairn::engine
