// Trace events: what happened, when, and how much of it; collected where somebody asked for them.
//
// Purpose     a part that does work takes a TraceSink* and opens a TraceSpan around it; nullptr
//             costs one comparison. Receipts and bench records are folded from the events.
// Invariants  no globals, no allocation per event; events that find no room are counted, not lost
//             in silence. Names are string literals.
// Threads     a sink belongs to one thread: each worker has its own TraceBuffer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cairn {

/// "tokens" 12, "bytes" 4096.
struct TraceCounter {
  std::string_view name = {};
  std::int64_t value = 0;
};

struct TraceEvent {
  std::string_view name = {};
  std::int64_t begin_ns = 0;  // of the steady clock
  std::int64_t end_ns = 0;
  std::array<TraceCounter, 4> counters = {};  // unused ones have an empty name
};

/// Takes events.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void add(const TraceEvent& event) = 0;
};

/// Keeps up to `events_max` events in the order in which they ended.
class TraceBuffer final : public TraceSink {
 public:
  explicit TraceBuffer(std::size_t events_max);

  void add(const TraceEvent& event) override;

  /// Valid until the next add or clear.
  std::span<const TraceEvent> events() const { return events_; }
  /// How many events found no room.
  std::uint64_t lost() const { return lost_; }
  /// Empties it and keeps its memory.
  void clear();

 private:
  std::size_t events_max_ = 0;
  std::uint64_t lost_ = 0;
  std::vector<TraceEvent> events_;
};

/// The steady clock in nanoseconds.
std::int64_t trace_clock_ns();

/// One event from its construction to its end. Does nothing when `sink` is nullptr.
class TraceSpan {
 public:
  TraceSpan(TraceSink* sink, std::string_view name);
  ~TraceSpan();
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

  /// Adds `value` to the counter `name`; an event has room for four names.
  void count(std::string_view name, std::int64_t value);

 private:
  TraceSink* sink_ = nullptr;
  TraceEvent event_;
};

}  // namespace cairn
