// CacheEvents: what entered and left the prefix cache, for whoever publishes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/sha256.h"

namespace cairn::engine {

/// A full page of one group can be found by its hash from now on, or no longer.
struct CacheEvent {
  enum class Kind : std::uint8_t { kStored, kRemoved };
  Kind kind = Kind::kStored;
  std::size_t group = 0;
  Sha256Digest hash = {};    // of the page and everything before it
  Sha256Digest parent = {};  // of what stands before it
};

/// Keeps the newest events; those that found no room are counted.
class CacheEvents {
 public:
  /// Room for `events_max`; 0 keeps and counts none: nobody listens.
  explicit CacheEvents(std::size_t events_max) : events_max_(events_max) {}

  void add(const CacheEvent& event);
  /// The events since the last call, oldest first.
  std::vector<CacheEvent> take();
  /// Events that were dropped, oldest first, because nobody took them in time.
  std::uint64_t lost() const { return lost_; }

 private:
  std::size_t events_max_ = 0;
  std::uint64_t lost_ = 0;
  std::deque<CacheEvent> events_;
};

}  // namespace cairn::engine
