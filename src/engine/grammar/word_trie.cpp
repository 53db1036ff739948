#include "engine/grammar/word_trie.h"

#include <algorithm>

namespace cairn::engine {

WordTrie::WordTrie(std::span<const std::string> words) {
  places_.resize(1);
  for (std::uint32_t number = 0; number < words.size(); ++number) {
    std::uint32_t place = kRoot;
    places_[place].words.push_back(number);
    for (const char each : words[number]) {
      const auto byte = static_cast<std::uint8_t>(each);
      if (const auto next = step(place, byte)) {
        place = *next;
      } else {
        const auto added = static_cast<std::uint32_t>(places_.size());
        places_[place].next.emplace_back(byte, added);
        places_.emplace_back();
        place = added;
      }
      places_[place].words.push_back(number);
    }
    if (!places_[place].word) places_[place].word = number;
  }
}

std::optional<std::uint32_t> WordTrie::step(std::uint32_t place, std::uint8_t byte) const {
  for (const auto& [each, next] : places_[place].next) {
    if (each == byte) return next;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> WordTrie::word(std::uint32_t place) const {
  return places_[place].word;
}

bool WordTrie::leads_to(std::uint32_t place, std::uint32_t first, std::uint32_t last) const {
  const std::vector<std::uint32_t>& words = places_[place].words;
  const auto found = std::ranges::lower_bound(words, first);
  return found != words.end() && *found <= last;
}

}  // namespace cairn::engine
