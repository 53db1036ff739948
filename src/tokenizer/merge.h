// The merging loop that byte-pair encodings share: a linked list of symbols and a queue of pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/token.h"

namespace cairn::tokenizer {

/// A run of a text's bytes with the id it has become; kNoSymbol where it has none.
struct Symbol {
  static constexpr std::int32_t kNoSymbol = -1;

  std::uint32_t begin = 0;
  std::uint32_t size = 0;  // 0: merged into its left neighbour
  std::uint32_t previous = 0;
  std::uint32_t next = 0;
  std::int32_t id = kNoSymbol;
};

/// What two neighbours become; the lowest rank goes first, the leftmost one of equals.
struct Merge {
  std::uint32_t rank = 0;
  std::int32_t id = Symbol::kNoSymbol;
};

/// Merges symbols until no pair can be. Reused from piece to piece: no allocation once warm.
/// n symbols take O(n log n): each merge ends one symbol and queues at most two pairs.
class Merger {
 public:
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;
  /// A text of one piece may have so many bytes.
  static constexpr std::size_t kTextBytesMax = std::size_t{1} << 30;

  void clear() {
    symbols_.clear();
    queue_.clear();
    skipped_ = 0;
  }

  /// Appends the next symbol of the text.
  void add(std::uint32_t size, std::int32_t id) {
    const auto index = static_cast<std::uint32_t>(symbols_.size());
    const std::uint32_t begin = index == 0 ? 0 : symbols_.back().begin + symbols_.back().size;
    if (index != 0) symbols_.back().next = index;
    symbols_.push_back({.begin = begin,
                        .size = size + std::exchange(skipped_, 0U),
                        .previous = index == 0 ? kEnd : index - 1,
                        .next = kEnd,
                        .id = id});
  }

  /// Passes over bytes that become nothing: what stands on either side are neighbours.
  void skip(std::uint32_t size) {
    if (symbols_.empty()) {
      skipped_ += size;
    } else {
      symbols_.back().size += size;
    }
  }

  /// `find(left, right)` gives the Merge of two neighbouring symbols or nothing.
  template <typename Find>
  void run(const Find& find, std::uint64_t& steps) {
    for (std::uint32_t i = 0; i + 1 < symbols_.size(); ++i) offer(i, find, steps);
    while (!queue_.empty()) {
      const Pair pair = pop(steps);
      Symbol& left = symbols_[pair.left];
      if (left.size == 0 || left.next == kEnd) continue;
      Symbol& right = symbols_[left.next];
      // Symbols only grow, so a pair of the same size is the same pair still.
      if (left.size + right.size != pair.size) continue;
      left.size += right.size;
      left.id = pair.merged_id;
      left.next = right.next;
      right.size = 0;
      if (left.next != kEnd) symbols_[left.next].previous = pair.left;
      if (left.previous != kEnd) offer(left.previous, find, steps);
      offer(pair.left, find, steps);
    }
  }

  /// Calls `use(symbol)` for what is left, in order.
  template <typename Use>
  void for_each(const Use& use) const {
    for (std::uint32_t i = symbols_.empty() ? kEnd : 0; i != kEnd; i = symbols_[i].next) {
      use(symbols_[i]);
    }
  }

 private:
  struct Pair {
    std::uint32_t left = 0;  // with rank above it: one number to order by
    std::uint32_t rank = 0;
    std::uint32_t size = 0;  // of both
    std::int32_t merged_id = 0;
  };

  static bool later(const Pair& a, const Pair& b) {
    const auto order = [](const Pair& pair) { return std::uint64_t{pair.rank} << 32 | pair.left; };
    return order(a) > order(b);
  }

  template <typename Find>
  void offer(std::uint32_t index, const Find& find, std::uint64_t& steps) {
    const Symbol& left = symbols_[index];
    if (left.next == kEnd) return;
    const Symbol& right = symbols_[left.next];
    ++steps;
    const std::optional<Merge> merge = find(left, right);
    if (!merge) return;
    queue_.push_back({.left = index,
                      .rank = merge->rank,
                      .size = left.size + right.size,
                      .merged_id = merge->id});
    std::push_heap(queue_.begin(), queue_.end(), later);
  }

  Pair pop(std::uint64_t& steps) {
    ++steps;
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Pair pair = queue_.back();
    queue_.pop_back();
    return pair;
  }

  std::vector<Symbol> symbols_;
  std::vector<Pair> queue_;
  std::uint32_t skipped_ = 0;  // before the first symbol
};

}  // namespace cairn::tokenizer
