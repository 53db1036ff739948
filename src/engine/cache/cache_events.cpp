#include "engine/cache/cache_events.h"

namespace cairn::engine {

void CacheEvents::add(const CacheEvent& event) {
  if (events_max_ == 0) return;
  if (events_.size() == events_max_) {
    events_.pop_front();
    ++lost_;
  }
  events_.push_back(event);
}

std::vector<CacheEvent> CacheEvents::take() {
  std::vector<CacheEvent> taken(events_.begin(), events_.end());
  events_.clear();
  return taken;
}

}  // namespace cairn::engine
