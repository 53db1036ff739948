#include "engine/sampling/sampler.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "base/random.h"
#include "engine/sampling/weights.h"

namespace cairn::engine {
namespace {

bool narrows(const SamplingParams& params) {
  return params.temperature > 0 && (params.top_k > 0 || params.top_p < 1);
}

}  // namespace

bool all_finite(std::span<const float> logits) {
  return std::ranges::all_of(logits, [](float logit) { return std::isfinite(logit); });
}

Sampler::Sampler(const SamplingParams& params, std::uint64_t choice, std::size_t vocabulary)
    : params_(params),
      choice_(choice),
      history_(params, vocabulary),
      chunk_weights_((vocabulary + kSumChunk - 1) / kSumChunk) {
  if (narrows(params)) scratch_.reserve(vocabulary);
}

Result<TokenId> Sampler::choose(std::span<float> logits, std::uint64_t position) {
  if (!all_finite(logits)) {
    return internal_error(fmt::format("non-finite logits at position {}", position));
  }
  const Draft draft{.params = params_, .history = history_, .logits = logits, .scratch = scratch_};
  for (const Stage& stage : stages()) {
    if (stage.active(params_)) stage.apply(draft);
  }
  CAIRN_ASSIGN(const TokenId id, draw(logits, position));
  history_.accept_generated(id);
  return id;
}

Result<TokenId> Sampler::draw(std::span<const float> logits, std::uint64_t position) {
  const float top = highest(logits);
  if (top == -std::numeric_limits<float>::infinity()) {
    return invalid_argument("logit_bias bans every id of the vocabulary");
  }
  if (params_.temperature == 0) return highest_id(logits);

  double total = 0;
  for (std::size_t c = 0; c < chunk_weights_.size(); ++c) {
    const std::size_t at = c * kSumChunk;
    const std::size_t size = std::min(kSumChunk, logits.size() - at);
    chunk_weights_[c] = chunk_weight(logits.subspan(at, size), top);
    total += chunk_weights_[c];
  }

  double left = random_unit(params_.seed, choice_, position) * total;
  std::size_t chunk = 0;
  while (chunk + 1 < chunk_weights_.size() && left >= chunk_weights_[chunk]) {
    left -= chunk_weights_[chunk];
    ++chunk;
  }
  // Rounding may leave a little after the last token that has weight: that token is drawn then.
  TokenId drawn = highest_id(logits);
  for (std::size_t id = chunk * kSumChunk; id < logits.size(); ++id) {
    const double mass = chunk_weight(logits.subspan(id, 1), top);
    if (mass == 0) continue;
    drawn = static_cast<TokenId>(id);
    if (left < mass) break;
    left -= mass;
  }
  return drawn;
}

Distribution::Distribution(std::size_t vocabulary) : logits_(vocabulary) {
  best_.reserve(vocabulary);
}

void Distribution::read(std::span<const float> logits, std::size_t count) {
  std::ranges::copy(logits, logits_.begin());
  const float top = highest(logits);
  log_sum_ = static_cast<double>(top) + math::log64(total_weight(logits, top));
  best_candidates(logits, count, best_);
}

float Distribution::logprob(TokenId id) const {
  return static_cast<float>(static_cast<double>(logits_[static_cast<std::size_t>(id)]) - log_sum_);
}

std::vector<TokenLogprob> Distribution::top() const {
  std::vector<TokenLogprob> result;
  result.reserve(best_.size());
  for (const Candidate& candidate : best_) {
    result.push_back({.id = candidate.id, .logprob = logprob(candidate.id)});
  }
  return result;
}

}  // namespace cairn::engine
