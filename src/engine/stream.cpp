#include <utility>

#include "engine/engine.h"
#include "engine/engine_state.h"

namespace cairn::engine {
namespace {

/// Takes the first token; without one, the error that the stream ended with, told once.
Result<std::optional<Token>> first_of(Outbox& outbox) {
  if (outbox.tokens.empty()) {
    const Status status = std::exchange(outbox.status, {});
    if (!status.ok()) return status;
    return std::optional<Token>();
  }
  Token token = std::move(outbox.tokens.front());
  outbox.tokens.pop_front();
  return std::optional<Token>(std::move(token));
}

}  // namespace

Stream::Stream(EngineState& state, std::uint64_t id)
    : state_(state), id_(id), outbox_(state.active.at(id).generation->outbox()) {}

Stream::~Stream() { cancel(); }

Result<std::optional<Token>> Stream::next() {
  EngineState::Lock lock(state_.mutex);
  while (outbox_->tokens.empty() && !outbox_->finish) {
    if (state_.driven) {
      state_.changed.wait(lock);
      continue;
    }
    state_.driven = true;
    state_.step(lock);
    state_.driven = false;
    state_.changed.notify_all();
  }
  return first_of(*outbox_);
}

Result<std::optional<Token>> Stream::take() {
  const EngineState::Lock lock(state_.mutex);
  return first_of(*outbox_);
}

void Stream::cancel() {
  const EngineState::Lock lock(state_.mutex);
  if (outbox_->finish && outbox_->tokens.empty()) return;
  outbox_->tokens.clear();
  outbox_->finish = FinishReason::kCancelled;
  outbox_->dropped = true;
  if (!state_.driven) return state_.reap();
  state_.changed.notify_all();
}

std::optional<FinishReason> Stream::finish_reason() const {
  const EngineState::Lock lock(state_.mutex);
  return outbox_->finish;
}

std::shared_ptr<const PromptLogprobs> Stream::prompt_logprobs() const {
  const EngineState::Lock lock(state_.mutex);
  return outbox_->prompt;
}

bool Stream::ended() const {
  const EngineState::Lock lock(state_.mutex);
  return outbox_->finish && outbox_->tokens.empty();
}

std::vector<float> Stream::pooled() const {
  const EngineState::Lock lock(state_.mutex);
  return outbox_->pooled;
}

RequestFigures Stream::figures() const {
  const EngineState::Lock lock(state_.mutex);
  return outbox_->figures;
}

}  // namespace cairn::engine
