// BytePatterns: where several byte strings stand in bytes that come in pieces.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/byte_automaton.h"

namespace cairn::engine {

/// Unlike a StopMatcher it goes on after a match.
class BytePatterns {
 public:
  /// `texts` are not empty strings; there may be none of them.
  explicit BytePatterns(std::span<const std::string> texts);

  /// Takes the next bytes. Whether one of the strings ended in them.
  bool push(std::string_view bytes);

  /// Calls `use` with every rest that would complete a string: for each beginning of one, at least
  /// a byte long, that the bytes so far end with.
  void for_rests(const std::function<void(std::string_view)>& use) const;

  /// Whether one of the strings stands in `bytes`.
  bool stands_in(std::string_view bytes) const;

 private:
  std::vector<ByteAutomaton> patterns_;
};

}  // namespace cairn::engine
