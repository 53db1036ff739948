#include "server/http/job_queue.h"

#include <utility>

namespace cairn::server {

JobQueue::JobQueue(std::size_t waiting_max)
    : waiting_max_(waiting_max), thread_([this] { run(); }) {}

JobQueue::~JobQueue() { close(); }

bool JobQueue::add(std::function<void()> job) {
  {
    const std::scoped_lock lock(mutex_);
    if (closed_ || waiting_.size() >= waiting_max_) return false;
    waiting_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void JobQueue::close() {
  std::deque<std::function<void()>> dropped;
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    dropped.swap(waiting_);
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void JobQueue::run() {
  while (true) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
      if (closed_) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    job();
  }
}

}  // namespace cairn::server
