#include "engine/byte_automaton.h"

#include <utility>

namespace cairn::engine {

ByteAutomaton::ByteAutomaton(std::string text)
    : text_(std::move(text)), shorter_(text_.size() + 1, 0) {
  std::size_t length = 0;
  for (std::size_t at = 1; at < text_.size(); ++at) {
    while (length > 0 && text_[at] != text_[length]) length = shorter_[length];
    if (text_[at] == text_[length]) ++length;
    shorter_[at + 1] = length;
  }
}

void ByteAutomaton::advance(char byte) {
  if (full()) matched_ = shorter_[matched_];
  while (matched_ > 0 && text_[matched_] != byte) matched_ = shorter_[matched_];
  if (text_[matched_] == byte) ++matched_;
}

}  // namespace cairn::engine
