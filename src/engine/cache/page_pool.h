// PagePool: which pages of the cache are taken, and by how many.
//
// Purpose     pages of kPagePositions positions; one page number stands for the same page of every
//             cache slot of the model.
// Invariants  a page is free or has at least one owner; nothing is allocated after creation.
// Threads     the engine thread.
// Adding      sharing between sequences: share() is its seam.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/ops.h"

namespace cairn::engine {

/// Pages that `positions` take.
constexpr std::size_t pages_for(std::size_t positions) {
  return positions / kernels::kPagePositions + (positions % kernels::kPagePositions != 0 ? 1 : 0);
}

class PagePool {
 public:
  explicit PagePool(std::size_t pages);

  /// A free page, the lowest number first, with one owner; nothing when all are taken.
  std::optional<std::uint32_t> take();
  /// One more owner of a taken page.
  void share(std::uint32_t page);
  /// One owner less; without any the page is free.
  void release(std::uint32_t page);

  std::size_t size() const { return owners_.size(); }
  std::size_t free() const { return free_.size(); }

 private:
  std::vector<std::uint32_t> owners_;
  std::vector<std::uint32_t> free_;  // a heap, the lowest page on top
};

}  // namespace cairn::engine
