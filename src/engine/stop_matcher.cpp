#include "engine/stop_matcher.h"

#include <algorithm>
#include <utility>

namespace cairn::engine {

StopMatcher::StopMatcher(std::vector<std::string> stops) {
  for (std::string& text : stops) stops_.emplace_back(std::move(text));
}

std::optional<std::size_t> StopMatcher::push(std::string_view bytes) {
  for (const char byte : bytes) {
    ++seen_;
    longest_ = 0;
    std::size_t ended = 0;
    for (ByteAutomaton& stop : stops_) {
      stop.advance(byte);
      longest_ = std::max(longest_, stop.matched());
      if (stop.full()) ended = std::max(ended, stop.matched());
    }
    if (ended > 0) return seen_ - ended;
  }
  return std::nullopt;
}

}  // namespace cairn::engine
