// WordTrie: some texts, told apart byte by byte.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {

class WordTrie {
 public:
  /// The beginning of every text.
  static constexpr std::uint32_t kRoot = 0;

  WordTrie() = default;
  explicit WordTrie(std::span<const std::string> words);

  /// The place after one more byte; nothing where no text goes on so.
  std::optional<std::uint32_t> step(std::uint32_t place, std::uint8_t byte) const;
  /// The number of the text that ends here; of equal ones the first.
  std::optional<std::uint32_t> word(std::uint32_t place) const;
  /// Whether a longer text goes on from here.
  bool goes_on(std::uint32_t place) const { return !places_[place].next.empty(); }
  /// Whether a text with a number of `first` to `last` goes through or ends here.
  bool leads_to(std::uint32_t place, std::uint32_t first, std::uint32_t last) const;

 private:
  struct Place {
    std::vector<std::pair<std::uint8_t, std::uint32_t>> next = {};
    std::vector<std::uint32_t> words = {};  // that go through or end here, ascending
    std::optional<std::uint32_t> word = {};
  };
  std::vector<Place> places_;
};

}  // namespace cairn::engine
