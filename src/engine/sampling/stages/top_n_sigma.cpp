// Keeps logits not below highest - n * sigma, sigma the standard deviation of the logits that are
// in. The temperature scales both sides alike and so does not matter.
// Source: Tang et al. 2024, arXiv 2411.07641, section 3.
#include <cmath>
#include <limits>

#include "engine/sampling/stages.h"

namespace cairn::engine {
namespace {

/// Sums over what is in: in the row chunk by chunk, in the list id by id.
template <typename Term>
double sum_over(Draft& draft, Term&& term) {
  double sum = 0;
  if (draft.listed()) {
    for (const Candidate& each : draft.list()) sum += term(each.logit);
    return sum;
  }
  const std::span<const float> logits = draft.logits();
  for (std::size_t at = 0; at < logits.size(); at += kSumChunk) {
    double chunk = 0;
    for (const float logit : logits.subspan(at, std::min(kSumChunk, logits.size() - at))) {
      if (logit != kOut) chunk += term(logit);
    }
    sum += chunk;
  }
  return sum;
}

}  // namespace

bool has_top_n_sigma(const SamplingParams& params) {
  return has_temperature(params) && params.top_n_sigma > 0;
}

void keep_top_n_sigma(Draft& draft, const StageInput& input) {
  const double count = sum_over(draft, [](float) { return 1.0; });
  const double mean = sum_over(draft, [](float x) { return static_cast<double>(x); }) / count;
  const double variance = sum_over(draft,
                                   [&](float x) {
                                     const double distance = static_cast<double>(x) - mean;
                                     return distance * distance;
                                   }) /
                          count;
  const double bound =
      static_cast<double>(draft.top()) - input.params.top_n_sigma * std::sqrt(variance);
  auto lowest_kept = static_cast<float>(bound);
  if (static_cast<double>(lowest_kept) < bound) {
    lowest_kept = std::nextafter(lowest_kept, std::numeric_limits<float>::infinity());
  }
  draft.keep_from(lowest_kept, static_cast<std::size_t>(input.params.min_keep));
}

}  // namespace cairn::engine
