// Newsroom: whom to wake when the engine has published tokens.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "server/http/reply.h"

namespace cairn::server {

/// The wakers of all answers that are being made. Any thread.
class Newsroom {
 public:
  /// Wakes everybody with at most one message to the I/O thread: once per step of the engine.
  void publish();
  /// Waits for something newer than `seen`, `longest` at most; returns what is the newest. For a
  /// thread that asks its answers itself.
  std::uint64_t wait(std::uint64_t seen, std::chrono::milliseconds longest);

 private:
  friend class Subscription;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t count_ = 0;  // of calls of publish()
  std::map<std::uint64_t, Waker> wakers_;
  std::uint64_t next_ = 0;
};

/// One answer's place in the newsroom, as long as it lives.
class Subscription {
 public:
  /// `newsroom` outlives it.
  Subscription(Newsroom& newsroom, Waker waker);
  ~Subscription();
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  Newsroom& newsroom_;
  std::uint64_t id_ = 0;
};

}  // namespace cairn::server
