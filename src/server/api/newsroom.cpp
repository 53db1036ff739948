#include "server/api/newsroom.h"

#include <utility>
#include <vector>

namespace cairn::server {

void Newsroom::publish() {
  std::vector<Waker> wakers;
  {
    const std::lock_guard lock(mutex_);
    ++count_;
    for (const auto& [id, waker] : wakers_) wakers.push_back(waker);
  }
  changed_.notify_all();
  if (!wakers.empty()) Waker::wake_all(wakers);
}

std::uint64_t Newsroom::wait(std::uint64_t seen, std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest, [&] { return count_ != seen; });
  return count_;
}

Subscription::Subscription(Newsroom& newsroom, Waker waker) : newsroom_(newsroom) {
  const std::lock_guard lock(newsroom_.mutex_);
  id_ = newsroom_.next_++;
  newsroom_.wakers_.emplace(id_, std::move(waker));
}

Subscription::~Subscription() {
  const std::lock_guard lock(newsroom_.mutex_);
  newsroom_.wakers_.erase(id_);
}

}  // namespace cairn::server
