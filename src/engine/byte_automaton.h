// ByteAutomaton: how much of one string the bytes so far end with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Each byte is looked at once, and nothing is stored of what went by.
/// Source: Knuth, Morris and Pratt 1977, Fast pattern matching in strings.
class ByteAutomaton {
 public:
  /// `text` is not empty.
  explicit ByteAutomaton(std::string text);

  /// Takes the next byte; goes on after a match.
  void advance(char byte);

  const std::string& text() const { return text_; }
  /// Bytes of the longest beginning of the text that the bytes end with.
  std::size_t matched() const { return matched_; }
  bool full() const { return matched_ == text_.size(); }
  /// The next shorter beginning that bytes which end with one of `length` end with too; 0: none.
  std::size_t shorter(std::size_t length) const { return shorter_[length]; }

 private:
  std::string text_;
  std::vector<std::size_t> shorter_;
  std::size_t matched_ = 0;
};

}  // namespace cairn::engine
