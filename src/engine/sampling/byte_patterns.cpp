#include "engine/sampling/byte_patterns.h"

#include <algorithm>

namespace cairn::engine {

BytePatterns::BytePatterns(std::span<const std::string> texts)
    : patterns_(texts.begin(), texts.end()) {}

bool BytePatterns::push(std::string_view bytes) {
  bool ended = false;
  for (ByteAutomaton& pattern : patterns_) {
    for (const char byte : bytes) {
      pattern.advance(byte);
      ended = ended || pattern.full();
    }
  }
  return ended;
}

void BytePatterns::for_rests(const std::function<void(std::string_view)>& use) const {
  for (const ByteAutomaton& pattern : patterns_) {
    std::size_t length = pattern.matched();
    if (pattern.full()) length = pattern.shorter(length);
    for (; length > 0; length = pattern.shorter(length)) {
      use(std::string_view(pattern.text()).substr(length));
    }
  }
}

bool BytePatterns::stands_in(std::string_view bytes) const {
  return std::ranges::any_of(patterns_, [&](const ByteAutomaton& pattern) {
    return bytes.find(pattern.text()) != std::string_view::npos;
  });
}

}  // namespace cairn::engine
