// CacheGroups: cache slots of a model that have the same pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/cache_spec.h"

namespace cairn::engine {

/// The block table entry of a page that no query can look back to: its memory was given back.
inline constexpr std::uint32_t kNoPage = 0xFFFFFFFF;

/// Slots that keep the same positions share one block table per sequence and one page numbering:
/// page p of the group is page p of each of its slots.
struct CacheGroup {
  models::CacheKind kind = models::CacheKind::kKeysValues;
  std::size_t window = 0;  // positions a query may look back, itself included; 0: all

  bool operator==(const CacheGroup&) const = default;

  /// Pages that hold `positions` of a sequence which gave nothing back.
  std::size_t pages_for(std::size_t positions) const;
  /// The first page that a query at `position` or behind it can look at.
  std::size_t first_page(std::size_t position) const;
  /// Whether a sequence has one page of a state that every position rewrites: what it was at a
  /// position before is known only where a copy of it, a snapshot, was kept.
  bool recurrent() const { return kind == models::CacheKind::kRecurrent; }
};

struct CacheGroups {
  std::vector<CacheGroup> groups = {};
  std::vector<std::size_t> group_of_slot = {};
};

/// The groups of `slots`, in the order in which they first stand there.
CacheGroups groups_of(std::span<const models::CacheSpec> slots);

/// Pages that `positions` take.
constexpr std::size_t pages_for(std::size_t positions) {
  return positions / kernels::kPagePositions + (positions % kernels::kPagePositions != 0 ? 1 : 0);
}

/// The last position of a prompt of `ids`, one or more, at which a snapshot can serve one like it:
/// the last id is computed whatever is found.
constexpr std::size_t snapshot_position(std::size_t ids) {
  return (ids - 1) / kernels::kPagePositions * kernels::kPagePositions;
}

}  // namespace cairn::engine
