#include "engine/stop_matcher.h"

#include <algorithm>
#include <utility>

namespace cairn::engine {
namespace {

std::vector<std::size_t> fallbacks(std::string_view text) {
  std::vector<std::size_t> result(text.size() + 1, 0);
  std::size_t length = 0;
  for (std::size_t at = 1; at < text.size(); ++at) {
    while (length > 0 && text[at] != text[length]) length = result[length];
    if (text[at] == text[length]) ++length;
    result[at + 1] = length;
  }
  return result;
}

}  // namespace

StopMatcher::StopMatcher(std::vector<std::string> stops) {
  for (std::string& text : stops) {
    std::vector<std::size_t> fallback = fallbacks(text);
    stops_.push_back({.text = std::move(text), .fallback = std::move(fallback)});
  }
}

void StopMatcher::advance(Stop& stop, char byte) {
  while (stop.matched > 0 && stop.text[stop.matched] != byte) {
    stop.matched = stop.fallback[stop.matched];
  }
  if (stop.text[stop.matched] == byte) ++stop.matched;
}

std::optional<std::size_t> StopMatcher::push(std::string_view bytes) {
  for (const char byte : bytes) {
    ++seen_;
    longest_ = 0;
    std::size_t ended = 0;
    for (Stop& stop : stops_) {
      advance(stop, byte);
      longest_ = std::max(longest_, stop.matched);
      if (stop.matched == stop.text.size()) ended = std::max(ended, stop.matched);
    }
    if (ended > 0) return seen_ - ended;
  }
  return std::nullopt;
}

}  // namespace cairn::engine
