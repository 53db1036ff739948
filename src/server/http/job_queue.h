// The preparation thread: jobs one after another, away from the I/O thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace cairn::server {

/// Runs jobs in their order on one thread of its own. A job must not throw.
class JobQueue {
 public:
  explicit JobQueue(std::size_t waiting_max);
  /// Waits for the running job; waiting ones are dropped.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// From any thread. False when `waiting_max` jobs wait already or the queue is closed.
  [[nodiscard]] bool add(std::function<void()> job);

  /// Drops what waits, waits for the running job and ends the thread.
  void close();

 private:
  void run();

  const std::size_t waiting_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace cairn::server
