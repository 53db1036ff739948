#include "engine/prompt_score.h"

#include <fmt/core.h>

#include "engine/sampling/weights.h"

namespace cairn::engine {

PromptScore::PromptScore(std::optional<std::size_t> top, std::span<const TokenId> prompt)
    : top_(top.value_or(0)), wanted_(top ? prompt.size() - 1 : 0) {
  if (!top) return;
  tokens_ = std::make_shared<PromptLogprobs>();
  tokens_->reserve(wanted_);
}

Status PromptScore::read(std::span<const float> logits, std::span<const TokenId> prompt,
                         Distribution& space) {
  CAIRN_CHECK(read_ < wanted_);
  if (!all_finite(logits)) {
    return internal_error(fmt::format("non-finite logits at position {}", read_));
  }
  space.read(logits, top_);
  const TokenId id = prompt[read_ + 1];
  tokens_->push_back(
      {.id = id, .logprob = space.logprob(id), .rank = space.rank(id), .top = space.top()});
  ++read_;
  return {};
}

std::shared_ptr<const PromptLogprobs> PromptScore::result() const {
  return complete() ? tokens_ : nullptr;
}

}  // namespace cairn::engine
