// GrammarStack: what goes on once a rule is finished, shared by all that wait for the same.
//
// Purpose     the rules that are open around a place, as values that can be compared and gone back
//             to.
// Invariants  equal cells and equal lists have equal numbers; several ways to one place are one
//             place with a list of cells, so that an ambiguous form costs no more than it has rules
//             (Tomita's graph-structured stack).
// Threads     one.
// Source      Tomita 1987, An efficient augmented-context-free parsing algorithm, section 3.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace cairn::engine {

/// A place in a rule, and what is around it.
struct GrammarCell {
  std::uint32_t rule = 0;
  std::uint32_t place = 0;   // means what the rule's kind says
  std::uint32_t detail = 0;  // likewise
  std::uint32_t around = 0;  // the list of cells that go on when the rule is finished

  auto operator<=>(const GrammarCell&) const = default;
};

class GrammarStack {
 public:
  /// The list around the start rule: its one cell is kEnd.
  static constexpr std::uint32_t kOutermost = 0;
  static constexpr std::uint32_t kEnd = 0;

  GrammarStack();

  /// The list that has `cell` alone.
  std::uint32_t list_of(const GrammarCell& cell);
  /// The list that has the cells of both.
  std::uint32_t joined(std::uint32_t one, std::uint32_t other);

  /// Valid until the next list is made.
  std::span<const std::uint32_t> list(std::uint32_t number) const { return lists_[number]; }
  GrammarCell cell(std::uint32_t number) const { return cells_[number]; }

  /// How much there is, and forgetting what came later.
  struct Mark {
    std::size_t cells = 0;
    std::size_t lists = 0;
  };
  Mark mark() const { return {.cells = cells_.size(), .lists = lists_.size()}; }
  void release(const Mark& mark);

 private:
  std::uint32_t add(std::vector<std::uint32_t> list);

  std::vector<GrammarCell> cells_;
  std::map<GrammarCell, std::uint32_t> cell_numbers_;
  std::vector<std::vector<std::uint32_t>> lists_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> list_numbers_;
};

}  // namespace cairn::engine
