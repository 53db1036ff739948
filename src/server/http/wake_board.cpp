#include "server/http/wake_board.h"

#include <utility>

namespace cairn::server {

void WakeBoard::wake(std::span<const std::shared_ptr<WakeSlot>> slots) {
  const std::scoped_lock lock(mutex_);
  if (!post_) return;
  for (const std::shared_ptr<WakeSlot>& slot : slots) {
    if (!std::exchange(slot->signalled, true)) signalled_.push_back(slot);
  }
  // Under the lock, so that close() returns only when no post is running.
  if (!signalled_.empty() && !std::exchange(posted_, true)) post_();
}

void WakeBoard::deliver() {
  std::vector<std::shared_ptr<WakeSlot>> slots;
  {
    const std::scoped_lock lock(mutex_);
    slots.swap(signalled_);
    for (const std::shared_ptr<WakeSlot>& slot : slots) slot->signalled = false;
    posted_ = false;
  }
  for (const std::shared_ptr<WakeSlot>& slot : slots) {
    if (slot->on_wake) slot->on_wake();
  }
}

void WakeBoard::close() {
  const std::scoped_lock lock(mutex_);
  post_ = nullptr;
  signalled_.clear();
}

Waker::Waker(std::shared_ptr<WakeBoard> board, std::shared_ptr<WakeSlot> slot)
    : board_(std::move(board)), slot_(std::move(slot)) {}

void Waker::wake() const {
  if (board_ != nullptr) board_->wake({&slot_, 1});
}

void Waker::wake_all(std::span<const Waker> wakers) {
  WakeBoard* board = nullptr;
  std::vector<std::shared_ptr<WakeSlot>> slots;
  slots.reserve(wakers.size());
  for (const Waker& waker : wakers) {
    if (waker.board_ == nullptr) continue;
    board = waker.board_.get();
    slots.push_back(waker.slot_);
  }
  if (board != nullptr) board->wake(slots);
}

}  // namespace cairn::server
