// Which tokens are special: markers by their text, stop ids, what strips the spaces beside it; and
// finding them in a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/token.h"
#include "formats/metadata.h"
#include "tokenizer/trie.h"
#include "tokenizer/vocabulary.h"

namespace cairn::tokenizer {

/// "<|...|>" and its kin: what templates write and a user must not be able to.
bool looks_like_marker(std::string_view text);

/// eos, eot and eom of the file, and tokens whose text says that a turn ends; ascending. Tokens of
/// the second sort that the file calls normal become control tokens, with a warning.
std::vector<TokenId> find_stop_ids(Vocabulary& vocabulary);

/// A range of bytes.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A special token found in a text, with the spaces it swallows.
struct SpecialMatch {
  TokenId id = 0;
  std::size_t begin = 0;  // of the token and the spaces before it
  std::size_t end = 0;
};

/// Finds control, unknown and user-defined tokens in texts. The leftmost match counts, of several
/// there the longest. Source: the added-token matching of the Python package tokenizers.
class SpecialMatcher {
 public:
  SpecialMatcher(const Vocabulary& vocabulary, const formats::Metadata& metadata);

  /// Matches in order, not overlapping. A control token counts only when it lies in one of
  /// `parsed` (ascending, not touching); other added text everywhere.
  std::vector<SpecialMatch> find(std::string_view text, std::span<const ByteRange> parsed,
                                 std::uint64_t& steps) const;

  /// Whether find() can find `id` in text that is not parsed: user-defined text that is no marker.
  bool found_in_plain_text(TokenId id) const;

 private:
  enum class Strip : std::uint8_t { kNone, kLeft, kRight, kBoth };

  void find_strips(const formats::Metadata& metadata);
  void set_strips(const formats::Metadata& metadata, std::string_view key, Strip strip);
  /// The longest match that begins at `at`, its id Trie::kNone when there is none.
  SpecialMatch longest_at(std::string_view text, std::size_t at, std::size_t parsed_end,
                          std::uint64_t& steps) const;
  /// Widens `match` by the spaces beside it that its token takes, back to `free_from` at most.
  void take_spaces(std::string_view text, std::size_t free_from, SpecialMatch& match) const;

  const Vocabulary& vocabulary_;
  std::vector<std::uint8_t> plain_;  // by id: found in plain text too
  std::vector<Strip> strips_;        // by id
  Trie trie_;
};

}  // namespace cairn::tokenizer
