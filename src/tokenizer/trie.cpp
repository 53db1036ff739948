#include "tokenizer/trie.h"

#include <algorithm>

namespace cairn::tokenizer {

/// Sorted entries that share their first `depth` bytes: the texts below one node.
struct Trie::Range {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t depth = 0;
  std::uint32_t node = 0;
};

Trie::Trie(std::vector<std::pair<std::string_view, std::int32_t>> entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  roots_.fill(kNoNode);
  // Breadth first, so that children lie side by side; the first range is the root's, no node.
  std::vector<Range> level = {{.first = 0, .last = entries.size(), .depth = 0, .node = kNoNode}};
  for (std::size_t at = 0; at < level.size(); ++at) {
    const Range range = level[at];
    std::size_t i = range.first;
    for (; i < range.last && entries[i].first.size() == range.depth; ++i) {
      if (range.node != kNoNode && nodes_[range.node].number == kNone) {
        nodes_[range.node].number = entries[i].second;
      }
    }
    if (range.node != kNoNode) {
      nodes_[range.node].first_child = static_cast<std::uint32_t>(nodes_.size());
    }
    while (i < range.last) {
      const auto label = static_cast<std::uint8_t>(entries[i].first[range.depth]);
      const std::size_t first = i;
      while (i < range.last && static_cast<std::uint8_t>(entries[i].first[range.depth]) == label) {
        ++i;
      }
      const auto node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({.label = label});
      if (range.node == kNoNode) {
        roots_[label] = node;
      } else {
        ++nodes_[range.node].children;
      }
      level.push_back({.first = first, .last = i, .depth = range.depth + 1, .node = node});
    }
  }
}

std::uint32_t Trie::child(std::uint32_t node, std::uint8_t label) const {
  const auto first = nodes_.begin() + nodes_[node].first_child;
  const auto last = first + nodes_[node].children;
  const auto found =
      std::lower_bound(first, last, label,
                       [](const Node& candidate, std::uint8_t l) { return candidate.label < l; });
  if (found == last || found->label != label) return kNoNode;
  return static_cast<std::uint32_t>(found - nodes_.begin());
}

}  // namespace cairn::tokenizer
