// From texts to numbers: a flat hash table whose texts lie elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace cairn::tokenizer {

/// Maps texts to numbers from 0 up. `TextOf` gives the text of a number that was added; it is asked
/// on every comparison, so the table holds no texts itself.
class TextIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// Makes room for `count` texts; drops what was there.
  void reset(std::size_t count) {
    std::size_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    slots_.assign(slots, kNone);
  }

  /// Adds `number` under its text and returns it, or returns the number that has the text already.
  template <typename TextOf>
  std::uint32_t add(std::uint32_t number, const TextOf& text_of) {
    const std::string_view text = text_of(number);
    std::size_t at = slot(text);
    while (slots_[at] != kNone) {
      if (text_of(slots_[at]) == text) return slots_[at];
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = number;
    return number;
  }

  /// The number with this text or kNone.
  template <typename TextOf>
  std::uint32_t find(std::string_view text, const TextOf& text_of) const {
    if (slots_.empty()) return kNone;
    std::size_t at = slot(text);
    while (slots_[at] != kNone && text_of(slots_[at]) != text) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

 private:
  std::size_t slot(std::string_view text) const {
    return std::hash<std::string_view>{}(text) & (slots_.size() - 1);
  }

  std::vector<std::uint32_t> slots_;
};

}  // namespace cairn::tokenizer
