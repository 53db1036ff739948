#include "engine/sampling/history.h"

#include <algorithm>

namespace cairn::engine {

bool penalises_repetition(const SamplingParams& params) {
  return params.repetition_penalty != 1 && params.repetition_window != 0;
}

bool penalises_answer(const SamplingParams& params) {
  const bool asked = params.presence_penalty != 0 || params.frequency_penalty != 0;
  return asked && params.answer_window != 0;
}

TokenCounts::TokenCounts(std::size_t vocabulary, std::int64_t window)
    : window_max_(static_cast<std::size_t>(std::max<std::int64_t>(window, 0))),
      places_(vocabulary) {}

void TokenCounts::add(TokenId id) {
  if (places_.empty()) return;
  std::uint32_t& place = places_[static_cast<std::size_t>(id)];
  if (place == 0) {
    counts_.push_back({.id = id});
    place = static_cast<std::uint32_t>(counts_.size());
  }
  ++counts_[place - 1].count;
  if (window_max_ == 0) return;
  if (recent_.size() < window_max_) {
    recent_.push_back(id);
    return;
  }
  const TokenId gone = recent_[oldest_];
  --counts_[places_[static_cast<std::size_t>(gone)] - 1].count;
  recent_[oldest_] = id;
  oldest_ = oldest_ + 1 == window_max_ ? 0 : oldest_ + 1;
}

History::History(const SamplingParams& params, std::size_t vocabulary)
    : window_(penalises_repetition(params) ? vocabulary : 0, params.repetition_window),
      answer_(penalises_answer(params) ? vocabulary : 0, params.answer_window) {}

void History::accept_prompt(std::span<const TokenId> prompt) {
  for (const TokenId id : prompt) window_.add(id);
}

void History::accept_generated(TokenId id) {
  window_.add(id);
  answer_.add(id);
}

}  // namespace cairn::engine
