#include "engine/sampling/distribution.h"

#include <algorithm>

#include "base/math.h"
#include "engine/sampling/draft.h"
#include "engine/sampling/weights.h"

namespace cairn::engine {

Distribution::Distribution(std::size_t vocabulary) : logits_(vocabulary) {
  space_.maxima.resize(blocks_of(vocabulary));
}

void Distribution::read(std::span<const float> logits, std::size_t count) {
  std::ranges::copy(logits, logits_.begin());
  const float top = highest(logits);
  log_sum_ = static_cast<double>(top) + math::log64(total_weight(logits, top));
  best_.clear();
  if (count == 0) return;
  Draft draft(logits_, space_);
  draft.narrow(count);
  draft.keep_first(count, comes_before);
  const std::span<const Candidate> best = draft.list();
  best_.assign(best.begin(), best.end());
  std::ranges::sort(best_, comes_before);
}

float Distribution::logprob(TokenId id) const {
  return static_cast<float>(static_cast<double>(logits_[static_cast<std::size_t>(id)]) - log_sum_);
}

std::size_t Distribution::rank(TokenId id) const {
  const auto at = static_cast<std::size_t>(id);
  const float own = logits_[at];
  const std::span<const float> all = logits_;
  const auto as_good = std::ranges::count_if(all.first(at), [&](float z) { return z >= own; });
  const auto better = std::ranges::count_if(all.subspan(at), [&](float z) { return z > own; });
  return 1 + static_cast<std::size_t>(as_good + better);
}

std::vector<TokenLogprob> Distribution::top() const {
  std::vector<TokenLogprob> result;
  result.reserve(best_.size());
  for (const Candidate& candidate : best_) {
    result.push_back({.id = candidate.id, .logprob = logprob(candidate.id)});
  }
  return result;
}

std::vector<TokenLogprob> Distribution::of(std::span<const TokenId> ids) const {
  std::vector<TokenLogprob> result;
  result.reserve(ids.size());
  for (const TokenId id : ids) result.push_back({.id = id, .logprob = logprob(id)});
  return result;
}

}  // namespace cairn::engine
