#include "engine/grammar/stack.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::engine {

GrammarStack::GrammarStack() : cells_(1), lists_({{kEnd}}) {
  // The end's cell is no rule's, so nothing may find it by its value.
  list_numbers_.emplace(lists_[kOutermost], kOutermost);
}

std::uint32_t GrammarStack::add(std::vector<std::uint32_t> list) {
  const auto number = static_cast<std::uint32_t>(lists_.size());
  const auto [found, added] = list_numbers_.emplace(std::move(list), number);
  if (added) lists_.push_back(found->first);
  return found->second;
}

std::uint32_t GrammarStack::list_of(const GrammarCell& cell) {
  const auto number = static_cast<std::uint32_t>(cells_.size());
  const auto [found, added] = cell_numbers_.emplace(cell, number);
  if (added) cells_.push_back(cell);
  return add({found->second});
}

std::uint32_t GrammarStack::joined(std::uint32_t one, std::uint32_t other) {
  if (one == other) return one;
  std::vector<std::uint32_t> all;
  std::ranges::set_union(lists_[one], lists_[other], std::back_inserter(all));
  return add(std::move(all));
}

void GrammarStack::release(const Mark& mark) {
  for (std::size_t i = mark.cells; i < cells_.size(); ++i) cell_numbers_.erase(cells_[i]);
  for (std::size_t i = mark.lists; i < lists_.size(); ++i) list_numbers_.erase(lists_[i]);
  cells_.resize(mark.cells);
  lists_.resize(mark.lists);
}

}  // namespace cairn::engine
