#include "engine/generation.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace cairn::engine {

Generation::Generation(Request request, KvCache& cache, const GenerationLimits& limits,
                       const TokenBytes& token_bytes)
    : request_(std::move(request)),
      limits_(limits),
      token_bytes_(token_bytes),
      pages_(cache, request_.cache_salt, limits.context),
      ids_(request_.prompt),
      sampler_(request_.sampling, {.choice = request_.choice,
                                   .vocabulary = limits.vocabulary,
                                   .bytes = &token_bytes,
                                   .stop_ids = request_.stop_ids}),
      distribution_(request_.logprobs ? limits.vocabulary : 0),
      stops_(request_.stop_strings) {
  // The last id of an answer is never computed, so it needs no position.
  const std::size_t room = limits.context - request_.prompt.size() + 1;
  generated_max_ = std::min(request_.tokens_max.value_or(room), room);
  ids_.reserve(request_.prompt.size() + generated_max_);
  sampler_.accept_prompt(request_.prompt);
  figures_.prompt_tokens = request_.prompt.size();
  if (request_.reuse == PrefixReuse::kYes) pages_.match(request_.prompt);
  figures_.cached_tokens = pages_.ids().size();
}

std::span<const TokenId> Generation::pending() const {
  return std::span(ids_).subspan(pages_.ids().size());
}

Status Generation::sample(std::span<float> logits) {
  const std::size_t position = ids_.size();
  if (!all_finite(logits)) {
    return internal_error(fmt::format("non-finite logits at position {}", position));
  }
  if (request_.logprobs) distribution_.read(logits, *request_.logprobs);
  CAIRN_ASSIGN(const TokenId id, sampler_.choose(logits, position));

  Token token{.id = id};
  if (request_.logprobs) {
    token.logprob = distribution_.logprob(id);
    token.top = distribution_.top();
  }
  ids_.push_back(id);
  ++figures_.generated_tokens;
  hold(std::move(token));
  return {};
}

void Generation::hold(Token token) {
  const bool stop = stops_at(token.id);
  if (!stop) token.bytes = token_bytes_.bytes(token.id);
  const std::string_view bytes = token.bytes;
  waiting_.push_back({.token = std::move(token), .begin = bytes_});
  bytes_ += bytes.size();

  const std::optional<std::size_t> match = stops_.push(bytes);
  if (match) cut(*match);
  if (stop) {
    finish(FinishReason::kStopId);
  } else if (match) {
    finish(FinishReason::kStopString);
  } else if (sampler_.stop()) {
    finish(FinishReason::kStopId);
  } else if (figures_.generated_tokens == generated_max_) {
    finish(FinishReason::kLength);
  }
}

void Generation::cut(std::size_t offset) {
  for (std::size_t i = first_; i < waiting_.size(); ++i) {
    Held& held = waiting_[i];
    const std::size_t kept = offset > held.begin ? offset - held.begin : 0;
    held.token.bytes = held.token.bytes.substr(0, kept);
  }
}

bool Generation::stops_at(TokenId id) const {
  return std::ranges::find(request_.stop_ids, id) != request_.stop_ids.end();
}

bool Generation::ready() const {
  if (first_ == waiting_.size()) return false;
  if (finish_) return true;
  const Held& held = waiting_[first_];
  return held.begin + held.token.bytes.size() <= stops_.settled();
}

Token Generation::take() {
  Token token = std::move(waiting_[first_].token);
  if (++first_ == waiting_.size()) {
    waiting_.clear();
    first_ = 0;
  }
  return token;
}

void Generation::finish(FinishReason reason) {
  finish_ = reason;
  if (reason != FinishReason::kCancelled && reason != FinishReason::kError) return;
  waiting_.clear();
  first_ = 0;
}

}  // namespace cairn::engine
