// Which connections have news: written by any thread, read by the I/O thread, with at most one
// message between two readings.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "server/http/reply.h"

namespace cairn::server {

/// One answer's place on the board. `on_wake` belongs to the I/O thread, which empties it when the
/// answer ends.
struct WakeSlot {
  std::function<void()> on_wake = {};
  bool signalled = false;  // under the board's mutex
};

class WakeBoard {
 public:
  /// `post` asks the I/O thread to call deliver() soon; it may be called from any thread.
  explicit WakeBoard(std::function<void()> post) : post_(std::move(post)) {}

  /// From any thread: marks the slots; posts when no delivery is on its way yet.
  void wake(std::span<const std::shared_ptr<WakeSlot>> slots);

  /// On the I/O thread: calls on_wake of every slot that was marked.
  void deliver();

  /// Nothing is posted any more: the I/O thread has ended.
  void close();

 private:
  std::mutex mutex_;
  std::function<void()> post_;
  std::vector<std::shared_ptr<WakeSlot>> signalled_;
  bool posted_ = false;
};

}  // namespace cairn::server
