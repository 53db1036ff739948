#include "evidence/compare/statistics.h"

#include <cmath>

namespace cairn::evidence {

double mean_rate(const Receipt& receipt) {
  double sum = 0;
  for (const Repetition& one : receipt.repetitions) sum += one.tokens_per_second;
  return sum / static_cast<double>(receipt.repetitions.size());
}

double noise_percent(const Receipt& receipt, double mean) {
  double sum = 0;
  for (const Repetition& one : receipt.repetitions) {
    const double difference = one.tokens_per_second - mean;
    sum += difference * difference;
  }
  return std::sqrt(sum / static_cast<double>(receipt.repetitions.size())) / mean * 100;
}

double drop_percent(double accepted, double candidate) {
  return (accepted - candidate) / accepted * 100;
}

}  // namespace cairn::evidence
