#include "engine/generation.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::engine {

namespace {

/// Positions of the longest answer: the last id is never computed, so it needs none.
std::size_t positions_max(const Request& request, std::size_t context) {
  const std::size_t room = context - request.prompt.size();
  const std::size_t asked = request.tokens_max.value_or(room + 1);
  return request.prompt.size() + std::min(asked - std::min<std::size_t>(asked, 1), room);
}

/// Most ids of an answer: to the end of the context, or where that shifts, as many as were asked
/// for.
std::size_t answer_max(const Request& request, const GenerationLimits& limits) {
  if (limits.on_full == ContextFull::kShift) {
    return request.tokens_max.value_or(std::numeric_limits<std::size_t>::max());
  }
  if (request.tokens_max == std::size_t{0}) return 0;
  return positions_max(request, limits.context) - request.prompt.size() + 1;
}

bool reads_logits(const Request& request) { return request.logprobs || request.prompt_logprobs; }

bool wants_processed(const Request& request) {
  return request.logprobs && request.logprobs_of == LogprobsOf::kProcessed;
}

Left left_in_logits(const Request& request) {
  return wants_processed(request) ? Left::kProcessed : Left::kAnything;
}

}  // namespace

Generation::Generation(Request request, KvCache& cache, const GenerationLimits& limits,
                       const TokenBytes& token_bytes)
    : request_(std::move(request)),
      token_bytes_(token_bytes),
      limits_(limits),
      generated_max_(answer_max(request_, limits)),
      pages_(cache, request_.cache_salt, positions_max(request_, limits.context)),
      ids_(request_.prompt),
      sampler_(request_.sampling, {.choice = request_.choice,
                                   .vocabulary = limits.vocabulary,
                                   .bytes = &token_bytes,
                                   .stop_ids = request_.stop_ids,
                                   .left = left_in_logits(request_)}),
      lookup_(limits.lookup),
      distribution_(reads_logits(request_) ? limits.vocabulary : 0),
      score_(request_.prompt_logprobs, request_.prompt),
      stops_(request_.stop_strings) {
  ids_.reserve(positions_max(request_, limits.context) + 1);
  sampler_.accept_prompt(request_.prompt);
  figures_.prompt_tokens = request_.prompt.size();
  if (limits.lookup.tokens_max > 0) figures_.drafts = DraftFigures();
  if (request_.pooling) pooler_.emplace(*request_.pooling, request_.prompt.size());
  outbox_->figures = figures_;
}

std::span<const TokenId> Generation::reusable_ids() const {
  // Of n ids at most n - 1 are looked for.
  return score_.complete() ? ids() : ids().first(score_.read_positions() + 1);
}

void Generation::read_prompt(const Matrix& logits) {
  for (std::size_t i = 0; i < logits.rows && !finish_; ++i) {
    Status status =
        score_.read(logits.row(i).first(limits_.vocabulary), request_.prompt, distribution_);
    if (!status.ok()) finish(FinishReason::kError, std::move(status));
  }
}

bool Generation::wants_hidden(std::size_t position) const {
  return pooler_ && pooler_->wants(position);
}

bool Generation::may_reuse() const {
  return request_.reuse == PrefixReuse::kYes && !wants_hidden(0);
}

void Generation::pool(std::size_t position, std::span<const float> state) {
  if (finish_) return;
  if (!all_finite(state)) {
    return finish(FinishReason::kError, internal_error(fmt::format(
                                            "a non-finite hidden state at position {}", position)));
  }
  pooler_->add(position, state);
  if (pooler_->complete()) finish(FinishReason::kPooled);
}

void Generation::sample(std::span<float> logits) {
  if (generated_max_ == 0) return finish(FinishReason::kLength);
  Status status = choose(logits);
  if (!status.ok()) finish(FinishReason::kError, std::move(status));
}

std::size_t Generation::draft(const DraftRoom& room, const RowCosts& costs) {
  // Answers that wait for the same prompt go on from its pages, which hold no guesses then.
  if (figures_.generated_tokens == 0) return 0;
  DraftRoom own = room;
  // Behind the last position of the context a full one makes room first.
  own.tokens = std::min({room.tokens, generated_max_ - figures_.generated_tokens - 1,
                         limits_.context - std::min(limits_.context, ids_.size())});
  draft_ = lookup_.propose(ids_, own, costs);
  draft_ = draft_.first(sampler_.may_follow(draft_));
  return draft_.size();
}

std::size_t Generation::verify(const Matrix& logits) {
  const std::size_t drafts = logits.rows - 1;
  const std::size_t begin = ids_.size();
  for (std::size_t i = 0; i <= drafts; ++i) {
    sample(logits.row(i));
    if (finish_ || i == drafts || ids_.back() != draft_[i]) break;
  }
  const std::size_t chosen = ids_.size() - begin;
  std::size_t right = 0;
  while (right < std::min(chosen, drafts) && ids_[begin + right] == draft_[right]) ++right;
  lookup_.verified(drafts, right);
  figures_.drafts->count(drafts, right);
  return right;
}

void Generation::sample(const kernels::BestTwo& best) {
  if (generated_max_ == 0) return finish(FinishReason::kLength);
  Status status = choose(best);
  if (!status.ok()) finish(FinishReason::kError, std::move(status));
}

Status Generation::choose(const kernels::BestTwo& best) {
  CAIRN_ASSIGN(const TokenId id, sampler_.choose(best, ids_.size()));
  figures_.near_ties = sampler_.near_ties();
  take({.id = id});
  return {};
}

Status Generation::choose(std::span<float> logits) {
  const std::size_t position = ids_.size() + figures_.dropped_tokens;
  if (!all_finite(logits)) {
    return internal_error(fmt::format("non-finite logits at position {}", position));
  }
  const bool processed = wants_processed(request_);
  if (request_.logprobs && !processed) distribution_.read(logits, *request_.logprobs);
  CAIRN_ASSIGN(const TokenId id, sampler_.choose(logits, position));
  if (processed) distribution_.read(logits, *request_.logprobs);
  figures_.near_ties = sampler_.near_ties();

  Token token{.id = id};
  if (request_.logprobs) {
    token.logprob = distribution_.logprob(id);
    logprobs_.push_back(token.logprob);
    token.top = distribution_.top();
    token.asked = distribution_.of(request_.logprob_ids);
  }
  take(std::move(token));
  return {};
}

void Generation::take(Token token) {
  ids_.push_back(token.id);
  ++figures_.generated_tokens;
  hold(std::move(token));
}

void Generation::hold(Token token) {
  const bool stop = stops_at(token.id);
  if (!stop) token.bytes = token_bytes_.bytes(token.id);
  const std::string_view bytes = token.bytes;
  held_.push_back({.token = std::move(token), .begin = bytes_});
  bytes_ += bytes.size();

  const std::optional<std::size_t> match = stops_.push(bytes);
  if (match) cut(*match);
  if (stop) {
    finish(FinishReason::kStopId);
  } else if (match) {
    finish(FinishReason::kStopString);
  } else if (sampler_.stop()) {
    finish(*sampler_.stop() == SamplerStop::kRepetition ? FinishReason::kRepetition
                                                        : FinishReason::kStopId);
  } else if (figures_.generated_tokens == generated_max_) {
    finish(FinishReason::kLength);
  }
}

void Generation::cut(std::size_t offset) {
  for (Held& held : held_) {
    const std::size_t kept = offset > held.begin ? offset - held.begin : 0;
    held.token.bytes = held.token.bytes.substr(0, kept);
  }
}

bool Generation::stops_at(TokenId id) const {
  return std::ranges::find(request_.stop_ids, id) != request_.stop_ids.end();
}

bool Generation::wants_room() const {
  return limits_.on_full == ContextFull::kShift && !finish_ && ids_.size() > limits_.context;
}

void Generation::make_room() {
  constexpr std::size_t kPage = kernels::kPagePositions;
  const std::size_t kept = pages_for(limits_.tokens_kept) * kPage;
  const std::size_t between = (ids_.size() - 1 - kept) / kPage;
  const std::size_t dropped = std::max<std::size_t>(1, between / 2) * kPage;
  pages_.clear();
  const auto first = ids_.begin() + static_cast<std::ptrdiff_t>(kept);
  ids_.erase(first, first + static_cast<std::ptrdiff_t>(dropped));
  figures_.dropped_tokens += dropped;
}

void Generation::publish() {
  if (outbox_->dropped) return;
  std::size_t ready = 0;
  for (; ready < held_.size(); ++ready) {
    if (!finish_ && !settled(held_[ready])) break;
    outbox_->tokens.push_back(std::move(held_[ready].token));
  }
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(ready));
  outbox_->figures = figures_;
  if (!outbox_->prompt) outbox_->prompt = score_.result();
  outbox_->finish = finish_;
  outbox_->status = status_;
  if (finish_ == FinishReason::kPooled) outbox_->pooled = pooler_->vector();
}

bool Generation::stop_asked() const {
  return outbox_->dropped || (request_.stop_asked && request_.stop_asked());
}

/// Whether no stop string can begin in it any more.
bool Generation::settled(const Held& held) const {
  return held.begin + held.token.bytes.size() <= stops_.settled();
}

void Generation::finish(FinishReason reason, Status status) {
  finish_ = reason;
  status_ = std::move(status);
  if (reason == FinishReason::kCancelled) held_.clear();
  // Ids that the same step chose in front of the one that failed are published, as they are where
  // each has a step of its own.
  if (reason == FinishReason::kError) {
    std::erase_if(held_, [this](const Held& held) { return !settled(held); });
  }
}

}  // namespace cairn::engine
