#include "engine/sampling/history.h"

#include <algorithm>

namespace cairn::engine {
namespace {

bool penalises_repetition(const SamplingParams& params) {
  return params.repetition_penalty != 1 && params.repetition_window != 0;
}

bool penalises_answer(const SamplingParams& params) {
  return params.presence_penalty != 0 || params.frequency_penalty != 0;
}

}  // namespace

void TokenCounts::add(TokenId id) {
  const auto index = static_cast<std::size_t>(id);
  ++counts_[index];
  if (listed_[index]) return;
  listed_[index] = true;
  ids_.push_back(id);
}

void TokenCounts::remove(TokenId id) { --counts_[static_cast<std::size_t>(id)]; }

History::History(const SamplingParams& params, std::size_t vocabulary)
    : window_max_(params.repetition_window > 0 ? static_cast<std::size_t>(params.repetition_window)
                                               : 0),
      counts_window_(penalises_repetition(params)),
      counts_generated_(penalises_answer(params)),
      window_(counts_window_ ? vocabulary : 0),
      generated_(counts_generated_ ? vocabulary : 0) {}

void History::accept_prompt(std::span<const TokenId> prompt) {
  if (!counts_window_) return;
  for (const TokenId id : prompt) slide(id);
}

void History::accept_generated(TokenId id) {
  if (counts_window_) slide(id);
  if (counts_generated_) generated_.add(id);
}

void History::slide(TokenId id) {
  window_.add(id);
  if (window_max_ == 0) return;
  if (recent_.size() < window_max_) {
    recent_.push_back(id);
    return;
  }
  window_.remove(recent_[oldest_]);
  recent_[oldest_] = id;
  oldest_ = oldest_ + 1 == window_max_ ? 0 : oldest_ + 1;
}

}  // namespace cairn::engine
