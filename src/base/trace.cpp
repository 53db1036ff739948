#include "base/trace.h"

#include "base/clock.h"
#include "base/status.h"

namespace cairn {

TraceBuffer::TraceBuffer(std::size_t events_max) : events_max_(events_max) {
  events_.reserve(events_max);
}

void TraceBuffer::add(const TraceEvent& event) {
  if (events_.size() == events_max_) {
    ++lost_;
    return;
  }
  events_.push_back(event);
}

void TraceBuffer::clear() {
  events_.clear();
  lost_ = 0;
}

std::int64_t trace_clock_ns() { return steady_ns(); }

TraceSpan::TraceSpan(TraceSink* sink, std::string_view name) : sink_(sink) {
  if (sink_ == nullptr) return;
  event_.name = name;
  event_.begin_ns = trace_clock_ns();
}

TraceSpan::~TraceSpan() {
  if (sink_ == nullptr) return;
  event_.end_ns = trace_clock_ns();
  sink_->add(event_);
}

void TraceSpan::count(std::string_view name, std::int64_t value) {
  if (sink_ == nullptr) return;
  for (TraceCounter& counter : event_.counters) {
    if (!counter.name.empty() && counter.name != name) continue;
    counter.name = name;
    counter.value += value;
    return;
  }
  CAIRN_CHECK(false && "a trace event has room for four counters");
}

}  // namespace cairn
