// Newsroom: whom to wake when the engine has published tokens.
#pragma once

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

 private:
  friend class Subscription;

  std::mutex mutex_;
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
