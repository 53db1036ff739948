// SentencePiece's normalizer: the precompiled character map, spaces as U+2581, the space in front.
// Source: sentencepiece, normalizer.cc; Kanda and others 2017 (compressed double arrays).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "formats/metadata.h"
#include "tokenizer/trie.h"

namespace cairn::tokenizer {

/// U+2581: how SentencePiece writes a space.
inline constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

/// Longest-prefix replacements, stored as a double array whose entries were checked when loading.
class CharacterMap {
 public:
  struct Match {
    std::size_t size = 0;  // of the prefix; 0 when there is none
    std::string_view replacement;
  };

  /// Parses tokenizer.ggml.precompiled_charsmap. Errors: kInvalidFile when a number leads outside
  /// the data or back to a place it came from.
  static Result<CharacterMap> parse(std::string bytes);

  /// The longest prefix of text[at, end) that is replaced; `steps` counts the bytes walked over.
  Match find(std::string_view text, std::size_t at, std::uint64_t& steps) const;

 private:
  Status check() const;
  Status check_value(std::size_t index) const;
  std::uint32_t unit(std::size_t index) const;
  std::size_t unit_count() const { return units_bytes_ / 4; }

  std::string bytes_;
  std::size_t units_begin_ = 0;
  std::size_t units_bytes_ = 0;
  std::size_t texts_begin_ = 0;
};

/// Immutable.
class Normalizer {
 public:
  /// Reads tokenizer.ggml.{precompiled_charsmap,remove_extra_whitespaces}; `user_defined` are texts
  /// that stay as they are. Errors: kInvalidFile.
  static Result<Normalizer> create(const formats::Metadata& metadata, bool add_space_prefix,
                                   const std::vector<std::string_view>& user_defined);

  /// `text` ready for the vocabulary: spaces are U+2581, bytes that are no UTF-8 are U+FFFD when a
  /// character map is there and themselves otherwise.
  std::string apply(std::string_view text, std::uint64_t& steps) const;

 private:
  std::optional<CharacterMap> map_;
  Trie user_defined_;
  bool add_space_prefix_ = false;
  bool remove_extra_spaces_ = false;
};

}  // namespace cairn::tokenizer
