#include "engine/sampling/byte_patterns.h"

#include <algorithm>

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

BytePatterns::BytePatterns(std::span<const std::string> texts) {
  for (const std::string& text : texts) {
    patterns_.push_back({.text = text, .fallback = fallbacks(text)});
  }
}

bool BytePatterns::push(std::string_view bytes) {
  bool ended = false;
  for (Pattern& pattern : patterns_) {
    for (const char byte : bytes) {
      if (pattern.matched == pattern.text.size()) {
        pattern.matched = pattern.fallback[pattern.matched];
      }
      while (pattern.matched > 0 && pattern.text[pattern.matched] != byte) {
        pattern.matched = pattern.fallback[pattern.matched];
      }
      if (pattern.text[pattern.matched] == byte) ++pattern.matched;
      ended = ended || pattern.matched == pattern.text.size();
    }
  }
  return ended;
}

void BytePatterns::for_rests(const std::function<void(std::string_view)>& use) const {
  for (const Pattern& pattern : patterns_) {
    std::size_t length = pattern.matched;
    if (length == pattern.text.size()) length = pattern.fallback[length];
    for (; length > 0; length = pattern.fallback[length]) {
      use(std::string_view(pattern.text).substr(length));
    }
  }
}

bool BytePatterns::stands_in(std::string_view bytes) const {
  return std::ranges::any_of(patterns_, [&](const Pattern& pattern) {
    return bytes.find(pattern.text) != std::string_view::npos;
  });
}

}  // namespace cairn::engine
