// Counts of a self-check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cairn::engine {

/// Since the engine was made, and now.
struct SelfCheckFigures {
  std::uint64_t checked = 0;        // answers that were computed again to their end or a difference
  std::uint64_t disagreements = 0;  // of them, different
  std::uint64_t skipped = 0;        // drawn, but too many waited already
  std::size_t waiting = 0;          // the one that is computed included
  std::string last = {};            // what differed last, in words; empty: nothing ever
};

}  // namespace cairn::engine
