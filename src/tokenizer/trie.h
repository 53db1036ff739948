// Trie: all texts of a set that start at a place of a text, in one walk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tokenizer {

/// A fixed set of texts with a number each. A node's children lie side by side, sorted.
class Trie {
 public:
  static constexpr std::int32_t kNone = -1;

  /// `entries` with one text: the first number counts. Empty texts are left out.
  explicit Trie(std::vector<std::pair<std::string_view, std::int32_t>> entries = {});

  /// Calls `use(end, number)` for every text of the set that is text[begin, end), shortest first.
  /// Returns the number of bytes walked over.
  template <typename Use>
  std::size_t walk(std::string_view text, std::size_t begin, const Use& use) const {
    if (begin >= text.size()) return 0;
    std::uint32_t node = roots_[static_cast<std::uint8_t>(text[begin])];
    std::size_t end = begin + 1;
    while (node != kNoNode) {
      if (nodes_[node].number != kNone) use(end, nodes_[node].number);
      if (end == text.size()) break;
      node = child(node, static_cast<std::uint8_t>(text[end]));
      ++end;
    }
    return end - begin;
  }

 private:
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
  struct Node {
    std::uint32_t first_child = 0;
    std::int32_t number = kNone;
    std::uint16_t children = 0;
    std::uint8_t label = 0;
  };
  struct Range;

  std::uint32_t child(std::uint32_t node, std::uint8_t label) const;

  std::array<std::uint32_t, 256> roots_ = {};
  std::vector<Node> nodes_;
};

}  // namespace cairn::tokenizer
