#include <utility>

#include "engine/engine.h"
#include "engine/engine_state.h"

namespace cairn::engine {

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
  if (outbox_->tokens.empty()) {
    const Status status = std::exchange(outbox_->status, {});
    if (!status.ok()) return status;
    return std::optional<Token>();
  }
  Token token = std::move(outbox_->tokens.front());
  outbox_->tokens.pop_front();
  return std::optional<Token>(std::move(token));
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

bool Stream::ended() const {
  const EngineState::Lock lock(state_.mutex);
  return outbox_->finish && outbox_->tokens.empty();
}

RequestFigures Stream::figures() const {
  const EngineState::Lock lock(state_.mutex);
  return outbox_->figures;
}

}  // namespace cairn::engine
