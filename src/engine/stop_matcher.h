// StopMatcher: finds stop strings in bytes that come in pieces.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/byte_automaton.h"

namespace cairn::engine {

/// Walks one automaton per stop string.
class StopMatcher {
 public:
  /// `stops` are not empty strings; there may be none of them.
  explicit StopMatcher(std::vector<std::string> stops);

  /// Takes the next bytes. When a stop string ends in them: the offset, in all bytes so far, where
  /// it begins; of several that end at the same byte the longest counts. No more bytes may follow.
  std::optional<std::size_t> push(std::string_view bytes);

  /// Bytes so far of which it is certain that no stop string begins in them.
  std::size_t settled() const { return seen_ - longest_; }

 private:
  std::vector<ByteAutomaton> stops_;
  std::size_t seen_ = 0;
  std::size_t longest_ = 0;  // the longest beginning of a stop string that the bytes end with
};

}  // namespace cairn::engine
